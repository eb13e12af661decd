"use strict";
/* PilgrimRules: a game's module in a page. It knows addresses and numbers, and no rule of any game.
   The records are those of engine/kernels/steps.py and engine/kernels/tree.py. */
class PilgrimRules {
  static async load(about, compiled = null) {
    const bytes = () => Uint8Array.from(atob(about.module), (c) => c.charCodeAt(0));
    const module = compiled ?? await WebAssembly.compile(bytes());
    return new PilgrimRules(about, (await WebAssembly.instantiate(module, {})).exports, module);
  }

  constructor(about, call, module) {
    this.about = about;
    this.call = call;
    this.module = module;
    this.free = about.free;
    const size = about.size;
    const count = about.actions.length + about.layers.length;
    this.states = [this.allocate(size), this.allocate(size)];
    this.out = this.allocate(about.room);
    this.items = this.allocate(about.items);
    this.first = this.allocate(size);
    this.bytes(this.first, size).set(Uint8Array.from(atob(about.start), (c) => c.charCodeAt(0)));
    this.numbers = this.allocate(8 * 64);
    this.log = this.allocate(8 * PilgrimRules.LONGEST);
    const weights = this.allocate(4 * count);
    this.game = this.allocate(80);
    this.words(this.game + 16, [...this.states, 0, 0, this.log, this.log, 0, weights, 0, this.out, 0, 0, 0, 0, 0]);
    this.tree = 0;
  }

  get memory() { return new DataView(this.call.memory.buffer); }

  allocate(size) {
    const at = this.free;
    this.free = 8 * Math.ceil((at + size) / 8);
    const missing = this.free - this.call.memory.buffer.byteLength;
    if (missing > 0) this.call.memory.grow(Math.ceil(missing / 65536));
    return at;
  }

  words(at, numbers) {
    const memory = this.memory;
    numbers.forEach((number, index) => memory.setUint32(at + 4 * index, number, true));
  }

  bytes(at, size) { return new Uint8Array(this.call.memory.buffer, at, size); }

  /* ---- a play: a position is the bytes of the state, and the generators beside it */

  get at() { return this.memory.getUint32(this.game + 16, true); }

  /* Begin; return what happened by itself, as moves. */
  start(seed) {
    this.put({ bytes: this.bytes(this.first, this.about.size).slice(), chance: BigInt.asUintN(64, BigInt(seed)), choice: BigInt.asUintN(64, ~BigInt(seed)) });
    return this.settle();
  }

  take() {
    const memory = this.memory;
    return {
      bytes: this.bytes(this.at, this.about.size).slice(),
      chance: memory.getBigUint64(this.game, true),
      choice: memory.getBigUint64(this.game + 8, true),
    };
  }

  put(position) {
    const memory = this.memory;
    memory.setBigUint64(this.game, position.chance, true);
    memory.setBigUint64(this.game + 8, position.choice, true);
    this.bytes(this.at, this.about.size).set(position.bytes);
  }

  settle() {
    this.memory.setUint32(this.game + 36, this.log, true);
    this.call.settle(this.game);
    return this.logged();
  }

  logged() {
    const end = this.memory.getUint32(this.game + 36, true);
    return [...new BigUint64Array(this.call.memory.buffer, this.log, (end - this.log) / 8)];
  }

  /* Make a move; return the moves that happened by themselves after it. */
  play(move) {
    this.memory.setUint32(this.game + 36, this.log, true);
    this.call.make(this.game, move);
    this.call.settle(this.game);
    return this.logged().slice(1);
  }

  get stage() { return this.memory.getUint8(this.at + this.about.stage); }
  get over() { return this.call.kind(this.at) === 3; }
  get player() { return this.over ? -1 : this.call.by(this.at); }

  moves() {
    if (this.over) return [];
    const end = this.call.moves(this.at, this.out);
    return [...new BigUint64Array(this.call.memory.buffer, this.out, (end - this.out) / 8)];
  }

  /* ---- moves as words, and where they happen */

  unpack(move) {
    const action = this.about.actions[Number(move >> BigInt(this.about.bits))];
    return { action, args: action.params.map((p) => Number((move >> BigInt(p.shift)) & ((1n << BigInt(p.bits)) - 1n))) };
  }

  pack(action, args) {
    let move = BigInt(this.about.actions.indexOf(action)) << BigInt(this.about.bits);
    action.params.forEach((p, at) => { move |= BigInt(args[at]) << BigInt(p.shift); });
    return move;
  }

  /* As prose/moves.py says it; a secret argument is a question mark unless it may be told. */
  say(move, told = true) {
    const { action, args } = this.unpack(move);
    const said = args.map((arg, at) => [action.params[at], arg]).filter(([param, arg]) => arg !== param.usual)
      .map(([param, arg]) => (param.secret && !told ? "?" : this.sayArgument(param, arg)));
    return said.length ? `${action.title}: ${said.join(", ")}` : action.title;
  }

  sayArgument(param, arg) {
    const word = this.about.types[param.type][arg];
    if (param.form === "choice") return word === "true" ? param.called : `not ${param.called}`;
    if (param.form === "number") return `${param.called} ${word}`.trim();
    return word === "none" ? `no ${param.called}`.trim() : word;
  }

  /* The node of each figure that a move concerns, by the number of the figure; several if arguments say several places. */
  places(action, args) {
    const found = [];
    if (action.place) {
      for (const [figure, [lo, hi]] of Object.entries(action.placed)) {
        let code = null;
        try { code = this.call[action.place](this.at, ...this.codes(action, args)); } catch { /* it is nowhere */ }
        if (code !== null && code >= lo && code <= hi) found.push([Number(figure), code - lo]);
      }
    }
    action.params.forEach((param, place) => {
      for (const [figure, [add, own]] of Object.entries(param.at)) {
        const node = args[place] + add;
        const { centres } = this.about.figures[figure];
        if (own && node >= 0 && node < own) found.push([Number(figure), this.player * own + node]);
        if (!own && node >= 0 && node < centres.length) found.push([Number(figure), node]);
      }
    });
    return found;
  }

  codes(action, args) { return args.map((arg, at) => arg + action.params[at].lo); }

  /* The number of the first requirement that a move breaks; 0 if there is none, -1 if the rules cannot say. */
  refusal(action, args) {
    try { return this.call[action.why](this.at, ...this.codes(action, args)); } catch { return -1; }
  }

  /* ---- what a state shows */

  /* The items of a layer: places from 0, the code of the owner from 0, the value. */
  layer(layer) {
    const end = this.call[layer.find](this.at, this.items);
    const found = [...new BigUint64Array(this.call.memory.buffer, this.items, (end - this.items) / 8)];
    return found.map((item) => {
      const codes = layer.fields.map(([lo, shift, bits]) => [lo, Number((item >> BigInt(shift)) & ((1n << BigInt(bits)) - 1n))]);
      const place = codes.splice(0, 1 + layer.sides).map(([, code]) => code);
      const owner = layer.by ? codes.shift()[1] : 0;
      const [lo, code] = layer.value ? codes.shift() : [0, 0];
      return { place, owner, code, number: lo + code };
    });
  }

  number(address, width) {
    let code = 0;
    for (let byte = width - 1; byte >= 0; byte -= 1) code = code * 256 + this.memory.getUint8(address + byte);
    return code;
  }

  /* The value of a cell in words: now, or in the state at another address. */
  cell(variable, index, state = this.at) {
    let at = 0;
    index.forEach((each, place) => { at = at * this.about.types[variable.index[place]].length + each; });
    const code = this.number(state + variable.offset + at * variable.width, variable.width);
    return variable.type === null ? String(code + variable.lo) : this.about.types[variable.type][code];
  }

  /* All indices of a variable, from 0. */
  indices(variable) {
    let all = [[]];
    for (const type of variable.index) all = all.flatMap((index) => this.about.types[type].map((_, at) => [...index, at]));
    return all;
  }

  /* Whether some players, all of them, see a cell. */
  sees(viewers, variable, index, state = this.at) {
    if (!variable.seen) return true;
    const codes = index.map((each, at) => each + variable.first[at]);
    return viewers.every((viewer) => this.call[variable.seen](state, viewer, ...codes) !== 0);
  }

  scores() {
    const lines = this.about.score.length;
    return this.about.players.map((_, player) => {
      if (!lines) return [];
      this.call.score_to(this.at, player, this.numbers);
      return [...new BigInt64Array(this.call.memory.buffer, this.numbers, lines)].map((n) => Number(n) / this.about.per);
    });
  }

  winners() {
    if (!this.over || !this.about.score.length) return [];
    const bits = this.call.winners(this.at);
    return this.about.players.filter((_, player) => (bits >> player) & 1);
  }

  /* ---- players that choose by themselves */

  random() {
    const moves = this.moves();
    const number = this.call.below(this.game + 8, BigInt(moves.length));
    return moves[Number(BigInt.asUintN(64, number))];
  }

  /* Think for so many milliseconds or iterations; or look one move ahead, if both are 0. */
  think({ milliseconds = 0, iterations = 0 }) {
    const moves = this.moves();
    if (moves.length === 1) return moves[0];
    const player = this.player;
    for (let many = this.about.worlds; many >= 1; many = Math.floor(many / 4)) {
      const worlds = this.about.veiled.length ? this.worlds(player, many) : [this.take().bytes];
      try {
        const move = milliseconds || iterations ? this.#search(worlds, milliseconds, iterations) : this.#greedy(worlds[0]);
        if (moves.includes(move)) return move;
      } catch { /* a state that was only thought of breaks the rules: think of others */ }
    }
    return this.random();
  }

  #greedy(world) {
    const here = this.take();
    try {
      this.put({ ...here, bytes: world });
      const end = this.call.moves(this.at, this.out);
      return BigInt.asUintN(64, this.call.greedy(this.game, this.out, end));
    } finally {
      this.put(here);
    }
  }

  #search(worlds, milliseconds, iterations) {
    if (!this.tree) this.#makeTree(1 << 16);
    const room = 8 * Math.ceil(this.about.size / 8);
    worlds.forEach((world, at) => this.bytes(this.roots + at * room, this.about.size).set(world));
    const draw = () => this.call.draw(this.game + 8);
    this.call.plant(this.tree, this.roots, worlds.length, draw(), draw());
    if (iterations) {
      this.call.grow(this.tree, iterations);
    } else {
      const end = performance.now() + milliseconds;
      for (let step = 8; performance.now() < end;) {
        const begun = performance.now();
        this.call.grow(this.tree, step);
        if (performance.now() - begun < 20) step *= 2;
      }
    }
    const end = this.call.moves(this.at, this.out);
    return BigInt.asUintN(64, this.call.best_legal(this.tree, this.out, end));
  }

  #makeTree(nodes) {
    const states = [this.allocate(this.about.size), this.allocate(this.about.size)];
    const out = this.allocate(this.about.room);
    const game = this.allocate(80);
    this.words(game + 16, [...states, 0, 0, 0, 0, 0, 0, 0, out, 0, 0, 0, 0, 0]);
    const { node, deepest, habits, enough, explore } = this.about.tree;
    const first = this.allocate(nodes * node);
    const path = this.allocate(4 * deepest);
    const worth = this.allocate(8 * this.about.players.length);
    this.roots = this.allocate(this.about.worlds * 8 * Math.ceil(this.about.size / 8));
    this.tree = this.allocate(72);
    this.words(this.tree, [game, 0, first, first, first + nodes * node, path, enough, 0, worth, explore]);
    this.words(this.tree + 68, [this.allocate(habits)]);
  }
}
PilgrimRules.LONGEST = 1 << 17; // moves that happen by themselves after one
