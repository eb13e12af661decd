/* Board: one figure of a state, drawn of ready parts, whose places can be pointed at. */
const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes = {}, ...inside) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...inside.filter((each) => each !== null && each !== undefined));
  return made;
};
const draw = (name, attributes = {}, ...inside) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
};
const parsed = (markup) => { const made = draw("g"); made.innerHTML = markup; return made; };

class Board {
  constructor(rules, number, choose) {
    this.rules = rules;
    this.number = number;
    this.figure = rules.about.figures[number];
    this.layers = rules.about.layers.filter((layer) => layer.figure === number);
    this.names = this.#names();
    const { width, height, title, ground, centres, cell } = this.figure;
    this.under = draw("g");
    this.items = draw("g", { class: "pr-items" });
    this.nodes = centres.map(([x, y], at) => {
      const node = draw("g", { class: "pr-place", role: "button", tabindex: "-1", transform: `translate(${x} ${y})` });
      node.innerHTML = cell;
      node.addEventListener("click", () => choose(this, at));
      node.addEventListener("keydown", (event) => this.#key(event, at, choose));
      return node;
    });
    this.svg = draw("svg", { class: "pr-figure", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": title });
    this.svg.style.setProperty("--wide", `${width}px`);
    this.svg.append(parsed(ground), this.under, this.items, draw("g", { class: "pr-places" }, ...this.nodes));
  }

  #names() {
    const layer = this.layers[0];
    return layer ? this.rules.about.types[layer.places] : this.figure.centres.map((_, at) => String(at + 1));
  }

  /* Arrow keys go to the nearest place in that direction; Enter and the space bar choose. */
  #key(event, at, choose) {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(this, at); return; }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const { centres } = this.figure;
    let best = null;
    let nearest = Infinity;
    centres.forEach(([x, y], to) => {
      const [dx, dy] = [x - centres[at][0], y - centres[at][1]];
      const along = dx * way[0] + dy * way[1];
      const across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      if (to !== at && along > 1 && along >= across * 0.5 && along + 2 * across < nearest) { nearest = along + 2 * across; best = to; }
    });
    if (best !== null) this.nodes[best].focus();
  }

  /* What lies at each node, and what is drawn below: `hide` says that secrets are not shown. */
  #lying(hide) {
    const lying = this.figure.centres.map(() => []);
    for (const [node, kind, mark, words] of this.figure.lying) lying[node].push({ kind, mark, words, says: words });
    let below = "";
    for (const layer of this.layers) {
      if (layer.secret && hide) continue;
      for (const item of this.rules.layer(layer)) {
        const colour = layer.colours[item.owner];
        const [node, ...sides] = item.place;
        if (layer.drawn) {
          const [x, y] = this.figure.centres[node];
          if (!layer.by || colour) below += `<g transform="translate(${x} ${y})">${layer.drawn[sides.join(" ")].replaceAll("TINT", colour)}</g>`;
          if (layer.by && colour) lying[node].push({ kind: "way", says: `${layer.owners[item.owner]} ${layer.says}`.trim() });
          continue;
        }
        let words = layer.text;
        if (layer.kind === "pieces") words = item.number ? String(item.number) : "";
        else if (layer.value) words = this.rules.about.types[layer.type][item.code];
        if ((layer.kind === "pieces" && !item.number) || (layer.kind === "label" && words === "none")) continue;
        const says = [layer.owners[item.owner], layer.says, words].filter(Boolean).join(" ");
        lying[node].push({ kind: layer.kind, mark: layer.marks[item.owner] || "", words, says: says || "piece" });
      }
    }
    return { lying, below };
  }

  show({ legal, chosen, hide, changed }) {
    const { lying, below } = this.#lying(hide);
    this.under.innerHTML = below;
    this.items.replaceChildren(...lying.flatMap((all, node) => this.#contents(all.filter((item) => item.kind !== "way"), node)));
    const looks = lying.map((all) => all.map((item) => item.says).join(", "));
    this.nodes.forEach((node, at) => {
      node.classList.toggle("pr-legal", legal.has(at));
      node.classList.toggle("pr-chosen", chosen.has(at));
      node.classList.toggle("pr-changed", changed && this.looks !== undefined && this.looks[at] !== looks[at]);
      node.setAttribute("aria-label", `${this.names[at]}${looks[at] ? `: ${looks[at]}` : ""}${legal.has(at) ? ", legal" : ""}`);
      if (chosen.has(at)) node.setAttribute("aria-pressed", "true"); else node.removeAttribute("aria-pressed");
    });
    this.looks = looks;
    const first = [...chosen, ...legal][0] ?? 0; // one stop of the tab key; arrows do the rest
    this.nodes.forEach((node, at) => node.setAttribute("tabindex", at === first || legal.has(at) ? "0" : "-1"));
  }

  /* Labels in lines above, tokens in rows below, so that nothing covers anything else; as figures/node_contents.py does. */
  #contents(items, node) {
    if (!items.length) return [];
    const { reach, below } = this.figure;
    const [x, y] = this.figure.centres[node];
    const home = draw("g", { transform: `translate(${x} ${y})` });
    const lines = items.filter((item) => item.kind === "label").flatMap((item) => wrapped(item.words));
    const tokens = items.filter((item) => item.kind !== "label");
    let top = -0.82 * reach;
    const bottom = reach - Math.min(below, reach * 0.45);
    if (lines.length) {
      const widest = Math.max(...lines.map((line) => line.length));
      const height = (tokens.length ? 0.45 : 0.96) * (bottom - top);
      const size = Math.max(5, Math.min((1.75 * reach) / (0.56 * widest), height / (1.1 * lines.length), widest <= 3 ? height * 0.5 : 10));
      const block = size * 1.1 * lines.length;
      const start = tokens.length ? top : top + (bottom - top - block) / 2;
      lines.forEach((line, at) => home.append(text(line, start + size * (0.86 + 1.1 * at), size, "halo")));
      top = start + block;
    }
    let columns = 1;
    let best = 0;
    for (let n = 1; n <= tokens.length; n += 1) {
      const size = Math.min((2 * reach) / n, (bottom - top) / Math.ceil(tokens.length / n));
      if (size >= best) { best = size; columns = n; }
    }
    const rows = Math.ceil(tokens.length / columns);
    const pitch = Math.min((1.72 * reach) / columns, (bottom - top) / Math.max(rows, 1));
    tokens.forEach((item, at) => {
      const row = Math.floor(at / columns);
      const wide = Math.min(columns, tokens.length - row * columns);
      const dx = ((at % columns) - (wide - 1) / 2) * pitch;
      const dy = (top + bottom) / 2 + (row - (rows - 1) / 2) * pitch;
      const size = pitch * (tokens.length === 1 ? 0.42 : 0.45);
      const made = draw("g", { transform: `translate(${dx.toFixed(1)} ${dy.toFixed(1)})` });
      if (item.mark) { const mark = parsed(item.mark); mark.setAttribute("transform", `scale(${(size / 100).toFixed(4)})`); made.append(mark); }
      if (item.words) made.append(text(item.words, size * 0.36, size * (item.words.length > 2 ? 0.9 : 1.15), item.mark ? "on strong" : "strong halo"));
      home.append(made);
    });
    return [home];
  }
}

const text = (words, y, size, css) => {
  const made = draw("text", { "text-anchor": "middle", y: y.toFixed(1), "font-size": size.toFixed(1), class: css });
  made.textContent = words;
  return made;
};

const wrapped = (words) => {
  const lines = [];
  for (const word of words.split(" ")) {
    if (lines.length && lines[lines.length - 1].length + word.length < 9) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
};
