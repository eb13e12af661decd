/* The table: what a person sees and does. All that depends on the rules is asked of PilgrimRules. */
const KINDS = { person: "a person", random: "any move", greedy: "most points now", quick: "looks ahead", slow: "thinks longer" };
const EFFORT = { greedy: {}, quick: { milliseconds: 300 }, slow: { milliseconds: 2000 } };
const MOST = 400; // moves that are tried to say why something is refused
const MANY = 12; // moves that are listed without being grouped
const button = (words, onclick, more = {}) => make("button", { type: "button", onclick, ...more }, words);

class Table {
  constructor(home, rules) {
    this.home = home;
    this.rules = rules;
    this.about = rules.about;
    this.links = links.get(rules.about.name) ?? { rule: {}, clause: {} };
    this.chosen = [];
    this.turnNumber = 0;
    this.thinker = this.#thinker();
    this.#build();
  }

  /* ---- a player that thinks, in a worker where that can be had */

  #thinker() {
    try {
      const worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
      const waiting = new Map();
      let last = 0;
      worker.onmessage = ({ data }) => { waiting.get(data.id)?.(data.move); waiting.delete(data.id); };
      worker.onerror = (event) => { event.preventDefault(); this.thinker = null; waiting.forEach((answer) => answer(null)); };
      worker.postMessage({ about: { ...this.about, module: "", positions: [] }, module: this.rules.module });
      return (effort) => new Promise((answer) => {
        last += 1;
        waiting.set(last, answer);
        worker.postMessage({ id: last, position: this.rules.take(), effort });
      });
    } catch {
      return null;
    }
  }

  async think(effort) {
    const move = this.thinker ? await this.thinker(effort) : null;
    return move ?? this.rules.think(effort);
  }

  /* ---- building */

  #build() {
    const { about } = this;
    this.seats = about.players.slice(0, about.people).map((player, seat) => make(
      "select", { "aria-label": `who plays ${player}`, onchange: () => this.go() },
      ...Object.entries(KINDS).map(([kind, words]) => make("option", { value: kind, selected: kind === (seat ? "quick" : "person") }, words)),
    ));
    this.turn = make("p", { class: "pr-turn" });
    this.heard = make("p", { class: "pr-heard", role: "status", "aria-live": "polite" }); // for ears alone: what was done, and who is to move
    this.told = [];
    this.heads = make("p", { class: "pr-heads" });
    this.reply = make("div", { class: "pr-why", role: "status", "aria-live": "polite" });
    this.moves = make("div", { class: "pr-moves", role: "group", "aria-label": "legal moves", tabindex: "-1" });
    this.log = make("ol", { class: "pr-log", "aria-label": "what happened", tabindex: "0" });
    this.boards = about.figures.map((_, at) => new Board(this.rules, at, (board, node) => this.choose(board, node)));
    this.panels = [
      ...this.boards.map((board) => [board.figure.title, make("figure", { class: "pr-panel" }, make("figcaption", {}, board.figure.title), board.svg)]),
      ["Players", make("div", { class: "pr-panel" })],
      ["Score", about.score.length ? make("div", { class: "pr-panel" }) : null],
    ].filter(([, panel]) => panel).map(([title, panel], at) => {
      panel.id = `${this.#id}-panel-${at}`;
      const tab = button(title, () => this.open(at), { role: "tab", "aria-controls": panel.id, id: `${this.#id}-tab-${at}` });
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      return { title, panel, tab };
    });
    const tabs = make("div", { class: "pr-tabs", role: "tablist", "aria-label": "what to look at", onkeydown: (event) => this.#tabKey(event) }, ...this.panels.map(({ tab }) => tab));
    const note = about.figures.length ? make("p", { class: "pr-note" }, "A reference layout of ours, drawn from the rules; the printed game may look different.") : null;
    this.stage = make("div", { class: "pr-boards" }, tabs, ...this.panels.map(({ panel }) => panel));
    this.undo = button("Undo", () => this.back(), { title: "to your last decision" });
    this.previous = button("←", () => this.step(-1), { title: "a step back", "aria-label": "a step back" });
    this.next = button("→", () => this.step(1), { title: "a step forward", "aria-label": "a step forward" });
    this.onward = button("Go on", () => this.go());
    const bar = make("div", { class: "pr-bar pr-controls" }, this.undo, this.previous, this.next, this.onward, button("New game", () => this.begin()), button("Share", () => this.share()), button("Large", () => this.#large(), { "aria-pressed": "false" }));
    this.whyNot = make("details", { ontoggle: () => this.#listRefusals() }, make("summary", {}, "Why not? Every action, and what refuses it now"), make("ul", { class: "pr-actions" }));
    this.other = make("details", { ontoggle: () => this.#tables() }, make("summary", {}, "Everything else the rules keep track of"), make("div"));
    const seats = make("details", {}, make("summary", {}, "Who plays, and where to begin"), make(
      "div", { class: "pr-bar" }, ...this.seats.map((seat, at) => make("label", {}, `${about.players[at]}: `, seat)), this.#loader(),
    ));
    const side = make("div", { class: "pr-said" }, this.reply, this.moves);
    const below = make("div", { class: "pr-below" }, seats, this.whyNot, make("details", { open: true }, make("summary", {}, "So far"), this.log), this.other, note);
    this.home.replaceChildren(make("style", {}, `${about.style}${SHEET}`), this.turn, this.heard, this.heads, make("div", { class: "pr-sheet" }, this.stage, side), bar, below);
    this.open(0);
  }

  get #id() { this.home.id ||= `pr-${this.about.name}-${document.querySelectorAll(".pr-play[id]").length}`; return this.home.id; }

  #loader() {
    const { positions } = this.about;
    if (!positions.length) return null;
    const groups = new Map();
    positions.forEach(([group, title], at) => groups.set(group, [...(groups.get(group) ?? []), make("option", { value: at }, title)]));
    return make("label", {}, "position: ", make(
      "select", { onchange: (event) => { const found = positions[event.target.value]; if (found) this.load(found[2], found[1]); } },
      make("option", { value: "" }, "the start"), ...[...groups].map(([group, options]) => make("optgroup", { label: group }, ...options)),
    ));
  }

  #large() {
    const on = this.home.classList.toggle("pr-large");
    document.documentElement.classList.toggle("pr-behind", on);
    const pressed = [...this.home.querySelectorAll(".pr-controls button")].at(-1);
    pressed.setAttribute("aria-pressed", String(on));
    pressed.textContent = on ? "Smaller" : "Large";
  }

  open(number) {
    this.shown = number;
    this.panels.forEach(({ panel, tab }, at) => {
      panel.classList.toggle("pr-open", at === number);
      tab.setAttribute("aria-selected", String(at === number));
      tab.setAttribute("tabindex", at === number ? "0" : "-1");
    });
  }

  #tabKey(event) {
    const to = { ArrowLeft: this.shown - 1, ArrowRight: this.shown + 1, Home: 0, End: this.panels.length - 1 }[event.key];
    if (to === undefined || !this.panels[to]) return;
    event.preventDefault();
    this.open(to);
    this.panels[to].tab.focus();
  }

  /* ---- the line of positions: each with what led to it */

  begin(seed = crypto.getRandomValues(new Uint32Array(1))[0]) {
    const happened = this.rules.start(seed);
    this.line = [{ after: this.rules.take(), by: "", said: "The beginning", href: "", person: true, happened: this.#happened(happened) }];
    this.now = 0;
    this.go();
  }

  /* Open a position that is given as a text; say so if it is none of this game. */
  load(text, title = "A shared position") {
    const position = this.rules.fromText(text);
    if (!position) { this.#say("This is no position of the game as these pages have it: the rules may have changed since."); return false; }
    this.rules.put(position);
    try { this.rules.settle(); } catch { /* it stays as it is given */ }
    this.line = [{ after: this.rules.take(), by: "", said: title, href: "", person: true, happened: [] }];
    this.now = 0;
    this.go();
    return true;
  }

  kind() { return this.rules.over ? "over" : this.seats[this.rules.player]?.value ?? "random"; }

  /* Play on: those who choose by themselves move until a person has to decide. */
  async go() {
    this.turnNumber += 1;
    const own = this.turnNumber;
    this.chosen = [];
    this.paused = false;
    this.#say();
    this.show();
    while (own === this.turnNumber && !["over", "person"].includes(this.kind())) {
      await new Promise((resume) => { setTimeout(resume, 30); });
      if (own !== this.turnNumber) return;
      const kind = this.kind();
      const move = kind === "random" ? this.rules.random() : await this.think(EFFORT[kind]);
      if (own !== this.turnNumber) return;
      this.#make(move);
      this.show();
    }
  }

  /* What chance did, in words. */
  #happened(moves) {
    const chance = moves.filter((move) => this.rules.unpack(move).action.kind === "chance");
    return chance.map((move) => this.rules.say(move, false));
  }

  #make(move) {
    const seat = this.rules.player;
    const { action } = this.rules.unpack(move);
    const person = this.kind() === "person";
    const told = !this.about.veiled.length || (person && this.viewers().length === 1);
    const said = this.rules.say(move, told);
    const happened = this.#happened(this.rules.play(move));
    this.line.length = this.now + 1;
    this.line.push({ after: this.rules.take(), by: this.about.players[seat], said, href: this.links.rule[action.name], person, happened });
    this.now += 1;
    this.told.push(`${this.about.players[seat]}: ${said}`, ...happened);
  }

  play(move) { this.#make(move); this.go(); }

  step(by) {
    const to = this.now + by;
    if (!this.line[to]) return;
    this.turnNumber += 1;
    this.told = [];
    this.now = to;
    this.rules.put(this.line[to].after);
    this.chosen = [];
    this.paused = this.kind() !== "person";
    this.#say();
    this.show();
  }

  /* Back to the last decision of a person. */
  back() {
    let to = this.now;
    while (to > 0 && !this.line[to].person) to -= 1;
    if (to > 0) this.step(to - 1 - this.now);
    else if (this.now > 0) this.step(-this.now);
    if (this.paused && this.now === 0) this.go();
  }

  share() {
    const link = `${location.href.split("#")[0]}#play=${this.about.rules}.${this.rules.toText(this.rules.take())}`;
    history.replaceState(null, "", link);
    const field = make("input", { readonly: true, value: link, "aria-label": "link to this position" });
    this.#say("A link to this position", this.about.veiled.length ? " (with everything in it that is secret)" : "", ": ", field);
    field.select();
    navigator.clipboard?.writeText(link).catch(() => {});
  }

  /* ---- pointing: a place with one move plays it; several places narrow the moves down */

  choose(board, node) {
    if (this.kind() !== "person") { this.#say(this.rules.over ? "The game is over." : "It is not a person's turn."); return; }
    const all = this.#placed();
    const same = (place) => place[0] === board.number && place[1] === node;
    if (this.chosen.some(same)) { this.chosen = this.chosen.filter((place) => !same(place)); this.#say(); this.show(); return; }
    const at = (places) => all.filter((move) => places.every(([figure, place]) => move.places.some(([f, p]) => f === figure && p === place)));
    let chosen = [...this.chosen, [board.number, node]];
    let there = at(chosen);
    if (!there.length) { chosen = [[board.number, node]]; there = at(chosen); }
    if (there.length === 1) { this.play(there[0].move); return; }
    this.chosen = chosen;
    const name = board.names[node];
    if (there.length) this.#say(`Legal at ${name}: ${there.length} moves.`);
    else this.#sayRefused(name, this.#refusedAt(board.number, node));
    this.show();
  }

  #placed() {
    this.legal ??= this.rules.moves().map((move) => {
      const { action, args } = this.rules.unpack(move);
      return { move, action, places: this.rules.places(action, args) };
    });
    return this.legal;
  }

  /* Some argument tuples of an action, spread over all of them. */
  * #tuples(action, fixed = () => null) {
    const sizes = action.params.map((param, at) => (fixed(at) === null ? this.about.types[param.type].length : 1));
    const all = sizes.reduce((a, b) => a * b, 1);
    const step = Math.max(1, Math.floor(all / MOST));
    for (let number = 0; number < all; number += step) {
      let left = number;
      yield sizes.map((size, at) => { const own = left % size; left = Math.floor(left / size); return fixed(at) ?? own; });
    }
  }

  /* The refusal of an action that comes nearest to being allowed, as far as some moves tell. */
  #nearest(action, tuples) {
    let best = 0;
    for (const args of tuples) {
      const line = this.rules.refusal(action, args);
      if (line === 0) return 0;
      best = Math.max(best, line);
    }
    return best;
  }

  #refusedAt(figure, node) {
    const found = [];
    for (const action of this.about.actions) {
      if (!action.why || !action.stages.includes(this.rules.stage)) continue;
      const here = (args) => this.rules.places(action, args).some(([f, p]) => f === figure && p === node);
      const place = action.params.findIndex((param) => param.at[figure] && !param.at[figure][1]);
      const tuples = [...this.#tuples(action, (at) => (at === place ? node - action.params[place].at[figure][0] : null))].filter(here);
      const line = this.#nearest(action, tuples);
      if (line > 0) found.push({ action, refusal: action.requires[line - 1] });
    }
    return found;
  }

  #sayRefused(name, found) {
    if (!found.length) { this.#say(`Nothing can be done at ${name} now.`); return; }
    this.#say(make("ul", {}, ...found.slice(0, 5).map(({ action, refusal }) => make("li", {}, this.#link(action.title, this.links.rule[action.name]), " refused: ", ...this.#because(refusal)))));
  }

  #link(words, href) { return href ? make("a", { href: `${PilgrimPlay.root}${href}` }, words) : words; }

  /* "too near the city (SHR-14)", with a link to the clause. */
  #because(refusal) {
    const clauses = refusal.clauses.flatMap((clause, at) => {
      const page = this.about.clauses[clause];
      const href = this.links.clause[clause];
      return [at ? "; " : " (", this.#link(clause, href), href || !page ? "" : `, p. ${page}`];
    });
    return [refusal.says, ...clauses, clauses.length ? ")" : ""];
  }

  #say(...words) { this.reply.replaceChildren(...words); }

  #listRefusals() {
    if (!this.whyNot.open) return;
    const all = this.kind() === "person" ? this.#placed() : [];
    const items = this.about.actions.filter((action) => action.why).map((action) => {
      const now = action.stages.includes(this.rules.stage);
      const many = all.filter((move) => move.action === action).length;
      let answer = [`refused: it belongs to ${action.stages.map((code) => this.about.stages[code]).join(", ")}`];
      if (many) answer = [make("b", {}, "legal"), many > 1 ? `: ${many} moves` : ""];
      else if (now) {
        const line = this.#nearest(action, this.#tuples(action));
        answer = line > 0 ? ["refused: ", ...this.#because(action.requires[line - 1])] : ["refused"];
      }
      return { rank: many ? 0 : now ? 1 : 2, item: make("li", {}, this.#link(action.title, this.links.rule[action.name]), " ", ...answer) };
    });
    this.whyNot.lastChild.replaceChildren(...items.sort((a, b) => a.rank - b.rank).map(({ item }) => item));
  }

  /* ---- showing */

  /* Through whose eyes: of the only person, of the person who decides, or of everybody at once, which shows what all may see. */
  viewers() {
    const people = this.seats.map((_, seat) => seat).filter((seat) => this.seats[seat].value === "person");
    if (people.length === 1) return people;
    const mover = this.rules.player;
    return people.includes(mover) && !this.#curtain() ? [mover] : this.about.players.slice(0, this.about.people).map((_, seat) => seat);
  }

  /* Whether the device has to change hands before secrets may be shown. */
  #curtain() {
    const people = this.seats.filter((seat) => seat.value === "person").length;
    return this.about.veiled.length > 0 && people > 1 && !this.rules.over && this.looking !== this.rules.player;
  }

  show() {
    const { rules, about } = this;
    this.legal = null;
    const person = this.kind() === "person";
    const curtain = person && this.#curtain();
    const who = about.players[rules.player];
    const winners = rules.winners();
    const won = winners.length ? ` ${winners.join(" and ")} ${winners.length > 1 ? "share the victory" : "wins"}.` : "";
    this.turn.textContent = rules.over ? `The game is over.${won}` : `${who} to move: ${about.stages[rules.stage]}${person ? "" : " …"}`;
    this.#tell();
    this.heads.replaceChildren(...this.#headlines().map((words) => make("span", {}, words)));
    const all = person && !curtain ? this.#placed() : [];
    const listed = all.filter((move) => this.chosen.every(([figure, place]) => move.places.some(([f, p]) => f === figure && p === place)));
    this.#list(listed.length ? listed : all, listed.length > 0 && listed.length < all.length, curtain);
    this.undo.disabled = this.previous.disabled = this.now === 0;
    this.next.disabled = this.now === this.line.length - 1;
    this.onward.hidden = !this.paused || rules.over;
    const hide = about.veiled.length > 0 && !rules.over;
    this.boards.forEach((board, number) => {
      const of = (moves) => new Set(moves.flatMap((move) => move.places).filter(([figure]) => figure === number).map(([, node]) => node));
      const legal = of(listed.length ? listed : all);
      board.show({ legal, chosen: new Set(this.chosen.filter(([figure]) => figure === number).map(([, node]) => node)), hide, changed: !this.chosen.length });
      this.panels[number].tab.classList.toggle("pr-has", legal.size > 0);
      this.panels[number].tab.title = legal.size ? "has legal places" : "";
    });
    this.#face();
    this.#write();
    this.#tables();
    this.#listRefusals();
  }

  /* Say what was done since the last decision of a person, once somebody can go on from there. */
  #tell() {
    if (!["person", "over"].includes(this.kind()) && !this.line[this.now].person) return;
    this.heard.textContent = [...this.told, this.turn.textContent].join(". ");
    this.told = [];
  }

  /* Who has to decide sees where: if no place of the picture in front is legal, one that has some comes to the front, once a decision. */
  #face() {
    const has = ({ tab }) => tab.classList.contains("pr-has");
    if (this.faced === this.line[this.now] || this.shown >= this.boards.length) return;
    const at = this.panels.findIndex(has);
    if (at < 0) return; // nobody has said yet who looks, or the move is none of places
    this.faced = this.line[this.now];
    if (!has(this.panels[this.shown])) this.open(at);
  }

  /* Where the marks are that tell how far the game is: the round, the season, whatever figures mark once. */
  #headlines() {
    return this.about.layers.filter((layer) => layer.headline && !layer.secret).flatMap((layer) => this.rules.layer(layer).map((item) => {
      const title = layer.says || this.about.figures[layer.figure].title;
      return `${title}: ${this.about.types[layer.places][item.place[0]]}`;
    }));
  }

  /* Fill the list; who was in it with the keyboard stays in it, as soon as there is a move to choose. */
  #list(moves, some, curtain) {
    const inside = this.moves.contains(document.activeElement);
    this.#fill(moves, some, curtain);
    if (inside) (this.moves.querySelector("button, summary") ?? this.moves).focus({ preventScroll: true });
  }

  #fill(moves, some, curtain) {
    if (curtain) {
      const seat = this.rules.player;
      this.moves.replaceChildren(button(`I am ${this.about.players[seat]}: show what I may see`, () => { this.looking = seat; this.show(); }));
      return;
    }
    const make1 = ({ move, action }) => button(this.rules.say(move), () => this.play(move), { title: action.doc });
    const groups = new Map();
    moves.forEach((each) => groups.set(each.action, [...(groups.get(each.action) ?? []), each]));
    const made = moves.length <= MANY ? moves.map(make1) : [...groups].map(([action, own]) => {
      if (own.length === 1) return make1(own[0]);
      const details = make("details", {}, make("summary", { title: action.doc }, `${action.title} (${own.length})`));
      details.addEventListener("toggle", () => { if (details.children.length === 1) details.append(make("div", { class: "pr-moves" }, ...own.map(make1))); });
      details.open = groups.size === 1;
      return details;
    });
    const rest = some ? [button("show all moves", () => { this.chosen = []; this.#say(); this.show(); }, { class: "pr-quiet" })] : [];
    this.moves.replaceChildren(...made, ...rest);
  }

  #write() {
    const made = this.line.map(({ by, said, href, happened }, at) => {
      const item = make("li", at === this.now ? { "aria-current": "step" } : {}, by ? `${by}: ` : "", this.#link(said, href));
      if (happened.length > 3) item.append(make("details", {}, make("summary", {}, `Chance: ${happened.length} results`), make("small", {}, `${happened.join("; ")}.`)));
      else if (happened.length) item.append(make("small", {}, ` Chance: ${happened.join("; ")}.`));
      return item;
    });
    this.log.replaceChildren(...made);
    const here = made[this.now];
    this.log.scrollTop = here.offsetTop - this.log.offsetTop - this.log.clientHeight / 2;
  }

  #tables() {
    const { rules } = this;
    const viewers = this.viewers();
    const read = (variable, index) => (rules.over || rules.sees(viewers, variable, index) ? rules.cell(variable, index) : "?");
    const at = this.boards.length;
    this.panels[at].panel.replaceChildren(playerTable(rules, read));
    if (this.panels[at + 1]) this.panels[at + 1].panel.replaceChildren(this.about.veiled.length && !rules.over ? make("p", {}, "Some of the points are secret until the end.") : scoreSheet(rules));
    if (this.other.open) this.other.lastChild.replaceChildren(otherTable(rules, read));
  }
}

/* ---- where boards are: each section of the page, opened at once or when the reader asks */
const games = new Map();
const links = new Map();
const wanted = () => { const found = /^#play=(\w+)\.([\w-]+)$/.exec(location.hash); return found && { rules: found[1], text: found[2] }; };

const open = (section, about) => {
  if (section.ready) return;
  section.ready = PilgrimRules.load(about).then((rules) => {
    const table = new Table(section, rules);
    const link = wanted();
    const at = section.dataset.at || (link && link.rules === about.rules ? link.text : "");
    if (!at || !table.load(at, section.dataset.called)) table.begin();
    return table;
  });
};

globalThis.PilgrimPlay = {
  root: globalThis.PilgrimPlay?.root ?? "",
  add(about) {
    games.set(about.name, about);
    document.querySelectorAll(`.pr-play[data-game="${about.name}"]`).forEach((section) => {
      if (!section.dataset.lazy || section.dataset.lazy === "asked") open(section, about);
    });
  },
  link: (name, found) => links.set(name, found),
  has: (name) => games.has(name),
  open: (section) => open(section, games.get(section.dataset.game)),
};
addEventListener("hashchange", () => {
  const link = wanted();
  document.querySelectorAll(".pr-play").forEach((section) => section.ready?.then((table) => {
    if (link && link.rules === table.about.rules) table.load(link.text);
  }));
});
