// Nim, written by hand from its clauses, to be checked by docs/howto/check_vectors.mjs.
const HEAPS = ["left", "middle", "right"];
const other = (player) => (player === "ann" ? "ben" : "ann");
const sticks = (state) => HEAPS.reduce((sum, heap) => sum + state.heap[heap], 0);

export const start = () => ({ stage: "playing", heap: { left: 3, middle: 4, right: 5 }, turn: "ann" });
export const position = (values) => structuredClone(values);
export const values = (state) => state;
export const to_move = (state) => (state.stage === "over" ? null : state.turn);
export const offered = (state) =>
    state.stage === "over" ? [] : HEAPS.flatMap((heap) => Array.from({ length: state.heap[heap] }, (_, at) => `take(${at + 1}, ${heap})`));
export function play(state, move) {
    const [, number, heap] = /^take\((\d+), (\w+)\)$/.exec(move);
    const after = structuredClone(state);
    after.heap[heap] -= Number(number);
    if (sticks(after) === 0) after.stage = "over";
    else after.turn = other(state.turn);
    return after;
}
export function refusals(state, move) {
    const [, number, heap] = /^take\((\d+), (\w+)\)$/.exec(move);
    return Number(number) <= state.heap[heap] ? [] : ["NIM-3"];
}
const won = (state, player) => state.stage === "over" && state.turn === player;
export const scores = (state) =>
    Object.fromEntries(["ann", "ben"].map((player) => [player, { total: won(state, player) ? "1" : "0", lines: { "The last stick": won(state, player) ? "1" : "0" } }]));
export const winners = (state) => ["ann", "ben"].filter((player) => won(state, player));
