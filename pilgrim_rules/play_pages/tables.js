/* Tables: what no figure shows, in words: a column for each player, the score sheet, and everything else the rules keep. */
const row = (head, cells, title = null) => make("tr", {}, make("th", { scope: "row", title }, head), ...cells.map((cell) => make("td", {}, cell)));
const table = (heads, rows, caption) => make(
  "div", { class: "pr-scroll", tabindex: "0", role: "region", "aria-label": caption },
  make("table", {}, make("caption", {}, caption), heads && make("thead", {}, make("tr", {}, ...heads.map((each) => make("th", { scope: "col" }, each)))), make("tbody", {}, ...rows)),
);

const EMPTY = new Set(["0", "none", "false"]);
const said = (variable, value) => (variable.truth ? { true: "yes", false: "–" }[value] ?? value : value);

/* What each player has: a row for each thing; rows in which nobody has anything are left out. */
const playerTable = (rules, read) => {
  const { players, types, variables } = rules.about;
  const rows = [];
  for (const variable of variables.filter((each) => each.players)) {
    const rest = rules.indices({ index: variable.index.slice(1) });
    const name = (index) => index.map((each, at) => types[variable.index[at + 1]][each]).join(", ");
    const values = rest.map((index) => players.map((_, seat) => read(variable, [seat, ...index])));
    if (variable.truth && variable.index.length > 1) {
      const lists = players.map((_, seat) => rest.flatMap((index, at) => ({ true: [name(index)], "?": ["?"] }[values[at][seat]] ?? [])));
      const cells = lists.map((list) => (list.length && list.every((each) => each === "?") ? "?" : list.join(", ") || "–"));
      if (cells.some((each) => each !== "–")) rows.push(row(variable.name, cells, variable.doc));
      continue;
    }
    rest.forEach((index, at) => {
      if (values[at].every((value) => EMPTY.has(value))) return;
      rows.push(row(index.length ? `${variable.name}: ${name(index)}` : variable.name, values[at].map((value) => said(variable, value)), variable.doc));
    });
  }
  return table(["", ...players], rows, "What each player has");
};

const scoreSheet = (rules) => {
  const { players, score } = rules.about;
  if (!score.length) return null;
  const scores = rules.scores();
  const rows = score.map((label, line) => row(label, scores.map((lines) => String(lines[line]))));
  const total = row("total", scores.map((lines) => String(lines.reduce((a, b) => a + b, 0))));
  total.className = "pr-total";
  return table(["", ...players], [...rows, total], rules.over ? "Score sheet" : "Score sheet, if the game ended now");
};

/* Everything else, in two columns: numbers and marks of the whole game, and tables as far as they differ from the start. */
const otherTable = (rules, read) => {
  const rows = [];
  for (const variable of rules.about.variables.filter((each) => !each.players)) {
    for (const index of rules.indices(variable)) {
      const value = read(variable, index);
      const name = index.map((each, at) => rules.about.types[variable.index[at]][each]).join(", ");
      if (index.length && value === rules.cell(variable, index, rules.first)) continue;
      rows.push(row(name ? `${variable.name}: ${name}` : variable.name, [said(variable, value)], variable.doc));
    }
  }
  return table(null, rows, "What else the rules keep track of");
};
