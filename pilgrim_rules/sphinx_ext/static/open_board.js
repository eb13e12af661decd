// Opens a board when the reader asks for it: only then its script and its game are loaded. Without this script the page stays as it is.
(() => {
  "use strict";
  const folder = document.currentScript.src.replace(/[^/]*$/, "");
  globalThis.PilgrimPlay ??= { root: `${folder}../` };

  const loaded = new Map();
  const load = (name) => {
    if (!loaded.has(name)) {
      loaded.set(name, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = `${folder}play/${name}.js`;
        script.onload = resolve;
        script.onerror = reject;
        document.head.append(script);
      }));
    }
    return loaded.get(name);
  };

  const open = async (section) => {
    section.dataset.lazy = "asked";
    const button = section.querySelector("button");
    button.disabled = true;
    button.textContent = "Loading …";
    try {
      await load("board");
      await load(section.dataset.game);
      PilgrimPlay.open(section);
      const table = await section.ready;
      table.home.querySelector(".pr-tabs button").focus({ preventScroll: true });
    } catch {
      button.textContent = "The board could not be loaded";
    }
  };

  const start = () => {
    const shared = location.hash.startsWith("#play=");
    document.querySelectorAll(".pr-play[data-lazy]").forEach((section, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "pr-opener";
      button.textContent = section.dataset.at ? "Try it on a board" : "Open the board and play";
      button.addEventListener("click", () => open(section));
      section.append(button);
      if (shared && at === 0) { open(section).then(() => section.scrollIntoView()); }
    });
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start); else start();
})();
