// Steps through a play. Without this script the page is a list of steps that can be opened one by one.
(() => {
  "use strict";
  const steps = [...document.querySelectorAll(".step")];
  const list = document.querySelector(".moves");
  const bar = document.querySelector(".bar");
  const [first, back, next, last] = bar.querySelectorAll("button");
  const slider = bar.querySelector("input");
  const count = bar.querySelector("output");
  let at = -1;

  // Not the id of the step itself: the browser would scroll to it.
  const name = (step) => `#${step.id.replace("step-", "")}`;

  const links = steps.map((step) => {
    const item = list.appendChild(document.createElement("li"));
    const link = item.appendChild(document.createElement("a"));
    link.href = name(step);
    link.innerHTML = step.querySelector("summary").innerHTML;
    link.classList.toggle("broken", step.classList.contains("broken"));
    step.querySelector("summary").addEventListener("click", (event) => event.preventDefault());
    return link;
  });

  const show = (wanted) => {
    const to = Math.min(Math.max(wanted, 0), steps.length - 1);
    if (to === at) return;
    if (at >= 0) {
      steps[at].classList.remove("here");
      links[at].removeAttribute("aria-current");
    }
    at = to;
    steps[at].open = true;
    steps[at].classList.add("here");
    links[at].setAttribute("aria-current", "step");
    list.scrollTop = links[at].offsetTop - list.clientHeight / 2; // never the page itself
    slider.value = at;
    count.textContent = `${at} / ${steps.length - 1}`;
    first.disabled = back.disabled = at === 0;
    next.disabled = last.disabled = at === steps.length - 1;
    history.replaceState(null, "", name(steps[at]));
  };

  const asked = () => steps.findIndex((step) => name(step) === location.hash);
  const moves = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => steps.length - 1 };
  addEventListener("keydown", (event) => {
    if (!(event.key in moves) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    show(moves[event.key]());
  });
  addEventListener("hashchange", () => asked() >= 0 && show(asked()));
  first.onclick = () => show(0);
  back.onclick = () => show(at - 1);
  next.onclick = () => show(at + 1);
  last.onclick = () => show(steps.length - 1);
  slider.max = steps.length - 1;
  slider.oninput = () => show(Number(slider.value));

  // On paper every step is shown.
  addEventListener("beforeprint", () => steps.forEach((step) => { step.open = true; }));
  addEventListener("afterprint", () => steps.forEach((step, n) => { step.open = n === at; }));

  document.documentElement.classList.add("js");
  const broken = steps.findIndex((step) => step.classList.contains("broken"));
  show(asked() >= 0 ? asked() : Math.max(broken, 0));
})();
