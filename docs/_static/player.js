// Steps through a recorded game. Without this script the page shows its beginning and the list of its moves.
(() => {
  "use strict";

  const start = (root) => {
    const { marks, steps } = JSON.parse(root.querySelector("script").textContent);
    const figures = [...root.querySelectorAll("svg")];
    const nodes = figures.map((svg) => [...svg.querySelectorAll(".reel-nodes > use")]);
    const layers = figures.map((svg) => svg.querySelector(".reel-marks"));
    const moves = [...root.querySelectorAll("ol > li")];
    const [bar, now, said] = ["bar", "now", "said"].map((name) => root.querySelector(`.rules-play-${name}`));
    const slider = bar.querySelector("input");
    const count = bar.querySelector("output");
    const first = nodes.map((uses) => uses.map((use) => use.getAttribute("href") ?? ""));
    let at = 0;

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
      if (at) now.innerHTML = moves[at - 1].innerHTML; else now.textContent = "The beginning.";
      said.replaceChildren(...(at ? steps[at - 1][1] : []).map((text) => {
        const line = document.createElement("li");
        line.textContent = text;
        return line;
      }));
      slider.value = at;
      count.textContent = `${at} / ${steps.length}`;
      for (const button of bar.querySelectorAll("button")) {
        button.disabled = ["first", "back"].includes(button.dataset.go) ? at === 0 : at === steps.length;
      }
    };

    const go = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => steps.length };
    const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last" };
    bar.addEventListener("click", (event) => {
      const wanted = event.target.dataset.go;
      if (wanted) show(go[wanted]());
    });
    root.addEventListener("keydown", (event) => {
      if (!(event.key in keys) || event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      show(go[keys[event.key]]());
    });
    slider.addEventListener("input", () => show(Number(slider.value)));
    moves.forEach((move, number) => move.addEventListener("click", () => show(number + 1)));
    bar.hidden = false;
    root.classList.add("rules-play-on");
    show(0);
  };

  addEventListener("DOMContentLoaded", () => document.querySelectorAll(".rules-play").forEach(start));

  // On paper everything is open.
  const closed = [];
  addEventListener("beforeprint", () => document.querySelectorAll("details.rules-details:not([open])").forEach((each) => {
    if (each.closest(".rules-play")) return;
    closed.push(each);
    each.open = true;
  }));
  addEventListener("afterprint", () => closed.splice(0).forEach((each) => { each.open = false; }));
})();
