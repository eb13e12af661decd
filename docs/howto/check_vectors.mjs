// Check an implementation of a game in JavaScript against conformance vectors.
//
//     node check_vectors.mjs vectors.jsonl ./my_game.mjs
//
// my_game.mjs exports the functions that check_vectors.py describes: start, to_move, offered, play, scores, winners, and if you have
// them position, odds, refusals, values, view. This program shares nothing with check_vectors.py but the description of the format.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const canonical = (value) => {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
};
export const stateHash = (values) => createHash("sha256").update(canonical(values), "utf8").digest("hex").slice(0, 16);
const same = (left, right) => canonical(left) === canonical(right);
const sorted = (moves) => [...moves].map(String).sort();

function decision(step, state, game) {
    const mover = game.to_move(state) ?? null;
    if (mover !== step.by) return `${mover} is to move instead of ${step.by}`;
    const offered = sorted(game.offered(state));
    if (!same(offered, sorted(step.offered))) {
        const missing = step.offered.filter((move) => !offered.includes(move));
        const extra = offered.filter((move) => !step.offered.includes(move));
        return `missing ${JSON.stringify(missing)}, not allowed ${JSON.stringify(extra)}`;
    }
    if (step.odds && game.odds) {
        const odds = Object.fromEntries(step.offered.map((move, at) => [move, step.odds[at]]));
        if (!same(game.odds(state), odds)) return `odds ${canonical(game.odds(state))} instead of ${canonical(odds)}`;
    }
    for (const { move, clauses } of game.refusals ? step.refused ?? [] : []) {
        const given = sorted(game.refusals(state, move));
        if (!same(given, clauses)) return `${move} is refused by ${given} instead of ${clauses}`;
    }
    return null;
}

function position(step, state, game) {
    if (game.values && stateHash(game.values(state)) !== step.state) {
        return `another state; the last step should change ${canonical(step.changes)}`;
    }
    for (const [player, expected] of Object.entries(game.view ? step.views ?? {} : {})) {
        if (stateHash(game.view(state, player)) !== expected) return `${player} sees something else`;
    }
    return null;
}

function end(vector, state, game) {
    const over = (game.to_move(state) ?? null) === null;
    if (over !== vector.over) return vector.over ? "the game should be over" : "the game should not be over";
    const left = sorted(game.offered(state));
    if (over && left.length) return `after the end: ${left} can still be played`;
    if (!same(game.scores(state), vector.scores)) return `at the end: scores ${canonical(game.scores(state))} instead of ${canonical(vector.scores)}`;
    if (!same(sorted(game.winners(state)), sorted(vector.winners))) return `at the end: ${game.winners(state)} instead of ${vector.winners} won`;
    return null;
}

function firstMistake(vector, game) {
    let state = vector.start ? game.position(vector.start) : game.start();
    for (const [at, step] of vector.steps.entries()) {
        if (step.by !== "auto") {
            const wrong = decision(step, state, game);
            if (wrong) return `step ${at + 1}: ${wrong}`;
            state = game.play(state, step.move);
        }
        if (vector.steps[at + 1]?.by !== "auto") {
            const wrong = position(step, state, game);
            if (wrong) return `after step ${at + 1}: ${wrong}`;
        }
    }
    return end(vector, state, game);
}

const [file, module] = process.argv.slice(2);
if (!file || !module) {
    console.error("usage: node check_vectors.mjs VECTORS MODULE");
    process.exit(2);
}
const game = await import(pathToFileURL(module).href);
const [, ...vectors] = readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const wrong = [];
for (const vector of vectors) {
    if (vector.start && !game.position) continue;
    const mistake = firstMistake(vector, game);
    if (mistake) wrong.push(`${vector.example ?? "game"} ${vector.seed}, ${mistake}`);
}
console.log(wrong.length ? wrong.join("\n") : "no differences");
const without = ["position", "odds", "refusals", "values", "view"].filter((name) => !game[name]);
if (without.length) console.log(`not checked, because your module does not have it: ${without.join(", ")}`);
process.exit(wrong.length ? 1 : 0);
