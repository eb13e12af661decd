// Steps through a recorded game. Without this script the page shows its beginning and the list of its moves.
(() => {
  "use strict";

  const pictures = document.currentScript.src.replace(/[^/]*\/[^/]*$/, "_images/");

  const start = (root, { marks, steps, beginning, pause, lines, parts }) => {
    document.querySelector(".store defs").insertAdjacentHTML("beforeend", parts);
    const figures = [...root.querySelectorAll("svg")];
    const nodes = figures.map((svg) => [...svg.querySelectorAll(".reel-nodes > use")]);
    const layers = figures.map((svg) => svg.querySelector(".reel-marks"));
    const moves = [...root.querySelectorAll(".rules-play-steps > li")];
    const [bar, now, said, heads] = ["bar", "now", "said", "heads"].map((name) => root.querySelector(`.rules-play-${name}`));
    const slider = bar.querySelector("input");
    const count = bar.querySelector("output");
    const rules = [...root.querySelectorAll(".rules-play-rules a")];
    moves.forEach((move, number) => {
      const link = rules[steps[number][4]];
      if (!link || rules.length <= Math.max(...steps.map((step) => step[4]))) return; // a rule that is not shown has no link
      const words = move.querySelector("span");
      const made = document.createElement("a");
      made.href = link.getAttribute("href");
      made.textContent = words.textContent;
      words.replaceWith(made);
    });
    const first = nodes.map((uses) => uses.map((use) => use.getAttribute("href") ?? ""));
    let at = 0;
    let running = 0;

    const draw = (to) => {
      const parts = first.map((each) => [...each]);
      for (const [drawn] of steps.slice(0, to)) {
        for (const [figure, node, part] of drawn) parts[figure][node] = part && `#${part}`;
      }
      parts.forEach((row, figure) => row.forEach((part, node) => {
        const use = nodes[figure][node];
        if (part === (use.getAttribute("href") ?? "")) return;
        if (part) use.setAttribute("href", part); else use.removeAttribute("href");
      }));
      layers.forEach((layer) => layer.replaceChildren());
      for (const [figure, node] of to ? steps[to - 1][0] : []) {
        const mark = document.createElementNS("http://www.w3.org/2000/svg", "use");
        mark.setAttribute("href", `#${marks[`${figure}-${node}`]}`);
        layers[figure].append(mark);
      }
    };

    const show = (wanted) => {
      const to = Math.min(Math.max(wanted, 0), steps.length);
      draw(to);
      moves[at - 1]?.removeAttribute("aria-current");
      at = to;
      moves[at - 1]?.setAttribute("aria-current", "step");
      if (at) now.replaceChildren(...[...moves[at - 1].childNodes].map((each) => each.cloneNode(true))); else now.textContent = "The beginning.";
      heads.replaceChildren(...(at ? steps[at - 1][2].map((line) => lines[line]) : beginning).map((text) => {
        const shown = document.createElement("span");
        shown.textContent = text;
        return shown;
      }));
      said.replaceChildren(...(at ? steps[at - 1][1].map((line) => lines[line]) : []).map((text) => {
        const line = document.createElement("li");
        line.textContent = text;
        return line;
      }));
      slider.value = at;
      count.textContent = `${at} / ${steps.length}`;
      for (const button of bar.querySelectorAll("button")) {
        button.disabled = ["first", "back"].includes(button.dataset.go) ? at === 0 : at === steps.length;
      }
      if (at === steps.length) stop();
    };

    const button = bar.querySelector("[data-go=run]");
    const stop = () => { clearInterval(running); running = 0; button.textContent = "▶"; };
    const run = () => {
      if (running) { stop(); return; }
      button.textContent = "■";
      running = setInterval(() => show(at + 1), pause);
    };
    const event = () => {
      const found = steps.findIndex((step, number) => number >= at && step[3]);
      return found < 0 ? steps.length : found + 1;
    };

    const go = { first: () => 0, back: () => at - 1, next: () => at + 1, event, last: () => steps.length };
    const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last", e: "event" };
    bar.addEventListener("click", (event) => {
      const wanted = event.target.dataset.go;
      if (wanted === "run") run();
      else if (wanted) { stop(); show(go[wanted]()); }
    });
    root.addEventListener("keydown", (event) => {
      if (event.key === " " && event.target === root) { event.preventDefault(); run(); return; }
      if (!(event.key in keys) || event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      show(go[keys[event.key]]());
    });
    slider.addEventListener("input", () => show(Number(slider.value)));
    moves.forEach((move, number) => move.addEventListener("click", (event) => { if (!event.target.closest("a")) show(number + 1); }));
    bar.hidden = false;
    root.classList.add("rules-play-on");
    show(0);
  };

  // What only stepping through a game needs is loaded when the reader comes to see the game.
  const load = (root) => {
    const script = document.createElement("script");
    script.src = pictures + root.dataset.recorded;
    globalThis.PilgrimRecorded = (data) => start(root, data);
    document.head.append(script);
  };
  addEventListener("DOMContentLoaded", () => document.querySelectorAll(".rules-play").forEach((root) => {
    const watch = new IntersectionObserver((found) => {
      if (found.some((each) => each.isIntersecting)) { watch.disconnect(); load(root); }
    }, { rootMargin: "800px" });
    watch.observe(root);
  }));

  // What the theme leaves without a name, and what scrolls, for those who use a keyboard or a screen reader.
  const name = () => {
    document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
    document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
    document.querySelectorAll("[role=heading]:not([aria-level])").forEach((each) => each.setAttribute("aria-level", "2"));
    const labels = new Map();
    for (const each of document.querySelectorAll("section[aria-label]")) {
      const label = each.getAttribute("aria-label");
      labels.set(label, (labels.get(label) ?? 0) + 1);
      if (labels.get(label) > 1) each.setAttribute("aria-label", `${label} (${labels.get(label)})`);
    }
    document.querySelectorAll("article pre, article .table-wrapper").forEach((each) => { each.tabIndex = 0; });
  };
  addEventListener("DOMContentLoaded", name);

  // A link to a place inside something folded opens it.
  const unfold = () => {
    const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    let around = place && place.closest("details:not([open])");
    if (!around) return;
    for (; around; around = around.parentElement && around.parentElement.closest("details:not([open])")) around.open = true;
    place.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  addEventListener("DOMContentLoaded", unfold);

  // On paper everything is open.
  const closed = [];
  addEventListener("beforeprint", () => document.querySelectorAll("details.rules-details:not([open]):not(.rules-below)").forEach((each) => {
    if (each.closest(".rules-play, .rules-below")) return;
    closed.push(each);
    each.open = true;
  }));
  addEventListener("afterprint", () => closed.splice(0).forEach((each) => { each.open = false; }));
})();
