/* Worlds: states that a player cannot tell from the one there is: what is not seen is exchanged, as far as every invariant allows. And positions
   as texts, which links carry; play_pages/positions.py writes the same. */
{
  const TRIES = 24; // exchanges for each world

  /* The cells that a player does not see, and which of the veiled cells those are. */
  const unseen = (rules, player, state) => {
    const cells = [];
    let mask = "";
    for (const variable of rules.about.veiled) {
      rules.indices(variable).forEach((index, at) => {
        const seen = rules.sees([player], variable, index, state);
        mask += seen ? "1" : "0";
        if (!seen) cells.push({ at: variable.offset + at * variable.width, width: variable.width, size: variable.size });
      });
    }
    return { cells, mask };
  };

  const sound = (rules, state) => {
    try { return rules.about.holds.every((name) => rules.call[name](state) !== 0); } catch { return false; }
  };

  PilgrimRules.prototype.worlds = function worlds(player, many) {
    const { size } = this.about;
    this.scratch ??= this.allocate(size);
    const real = this.take().bytes;
    const memory = () => this.bytes(this.scratch, size);
    const random = (below) => Number(BigInt.asUintN(64, this.call.below(this.game + 8, BigInt(below))));
    const read = (cell) => this.number(this.scratch + cell.at, cell.width);
    const write = (cell, value) => {
      let left = value;
      for (let byte = 0; byte < cell.width; byte += 1) { memory()[cell.at + byte] = left % 256; left = Math.floor(left / 256); }
    };
    memory().set(real);
    const { cells, mask } = unseen(this, player, this.scratch);
    if (cells.length < 2) return [real];
    const exchange = () => {
      const one = cells[random(cells.length)];
      const other = cells[random(cells.length)];
      const [a, b] = [read(one), read(other)];
      if (one === other || one.size !== other.size) return;
      if (one.size > 2 && random(2)) {
        if (a > 0 && b + 1 < other.size) { write(one, a - 1); write(other, b + 1); }
      } else { write(one, b); write(other, a); }
    };
    const found = [];
    for (let world = 0; world < many; world += 1) {
      for (let tried = 0; tried < TRIES; tried += 1) {
        const before = memory().slice();
        for (let changes = 1 + random(4); changes > 0; changes -= 1) exchange();
        if (!sound(this, this.scratch) || unseen(this, player, this.scratch).mask !== mask) memory().set(before);
      }
      found.push(memory().slice());
    }
    return found;
  };

  PilgrimRules.prototype.toText = function toText(position) {
    const packed = [];
    for (const generator of [position.chance, position.choice]) for (let byte = 0n; byte < 8n; byte += 1n) packed.push(Number((generator >> (8n * byte)) & 255n));
    const first = this.bytes(this.first, this.about.size);
    let last = 0;
    position.bytes.forEach((byte, at) => {
      if (byte === first[at]) return;
      let gap = at - last;
      for (; gap > 127; gap >>= 7) packed.push((gap & 127) | 128);
      packed.push(gap, byte);
      last = at;
    });
    return btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };

  /* The position of a text; null if it is none of this game. */
  PilgrimRules.prototype.fromText = function fromText(text) {
    let packed;
    try { packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)); } catch { return null; }
    if (packed.length < 16) return null;
    const view = new DataView(packed.buffer);
    const bytes = this.bytes(this.first, this.about.size).slice();
    let at = 0;
    for (let next = 16; next < packed.length;) {
      let gap = 0;
      let shift = 0;
      while (packed[next] > 127) { gap += (packed[next] & 127) << shift; shift += 7; next += 1; }
      gap += packed[next] << shift;
      at += gap;
      if (at >= bytes.length || next + 1 >= packed.length) return null;
      bytes[at] = packed[next + 1];
      next += 2;
    }
    for (const [offset, width, count, size] of this.about.cells) {
      for (let cell = 0; cell < count; cell += 1) {
        let code = 0n;
        for (let byte = width - 1; byte >= 0; byte -= 1) code = code * 256n + BigInt(bytes[offset + cell * width + byte]);
        if (code >= BigInt(size)) return null;
      }
    }
    return { bytes, chance: view.getBigUint64(0, true), choice: view.getBigUint64(8, true) };
  };
}
