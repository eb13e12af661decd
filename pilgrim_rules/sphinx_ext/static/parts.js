// Shows a part of a page in its place when the reader opens it. Without this script, or without a server, a link leads to the part.
(() => {
  "use strict";

  const show = async (fold) => {
    if (!fold.open || fold.dataset.shown) return;
    fold.dataset.shown = "asked";
    try {
      const answer = await fetch(fold.dataset.part);
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const section = page.querySelector("section.rules-part-page");
      section.querySelectorAll("h1, .rules-back").forEach((each) => each.remove());
      section.removeAttribute("id");
      fold.append(section);
    } catch {
      delete fold.dataset.shown; // the link stays
    }
  };

  addEventListener("toggle", (event) => { if (event.target.matches?.("details[data-part]")) show(event.target); }, true);
})();
