// The search of rulebooks: whole words, words that mean the same, and rules, refusals, cards and terms before pages.
(() => {
  "use strict";
  if (typeof Search === "undefined") return; // only the page of the search has one
  const folder = document.currentScript.src.replace(/[^/]*$/, "");
  const QUESTION = new Set("a an and are at be by can can't cannot cant could do does for from have how i i'm if in is it may me must my not of on or should so than that the then there they this to we what when where which who whose why will with won't you your".split(" "));
  const MOST = 60; // objects that are shown; pages follow
  const stemmer = new Stemmer();
  addEventListener("DOMContentLoaded", () => {
    const title = document.createElement("h1");
    title.textContent = "Search";
    document.getElementById("search-results").before(title);
  });
  const split = (text) => text.toLowerCase().replaceAll("’", "'").split(/[^\p{L}\p{N}']+/u).filter(Boolean);
  const stem = (word) => stemmer.stemWord(word);

  const read = new Promise((resolve) => {
    globalThis.PilgrimSearch = ({ kinds, pages, games, synonyms, objects }) => {
      const alike = new Map();
      for (const group of synonyms.map((each) => each.map(stem))) {
        for (const word of group) alike.set(word, [...(alike.get(word) ?? []), ...group.filter((other) => other !== word)]);
      }
      const sizes = new Map(); // of games, by the number of their objects: of what fits alike, that of a larger game comes first
      for (const [, game] of objects) sizes.set(game, (sizes.get(game) ?? 0) + 1);
      const found = objects.map(([kind, game, title, about, page, anchor]) => {
        const [label, weight, refuses] = kinds[kind];
        const short = about.length > 160 ? `${about.slice(0, 157)} …` : about;
        return {
          title, anchor, weight: weight + sizes.get(game) / 1e5, refuses, page: pages[page], words: split(title).map(stem), more: [...split(about), ...split(games[game] ?? game)].map(stem),
          descr: [`${label}${games[game] ? ` of ${games[game]}` : ""}`, short].filter(Boolean).join(": "),
        };
      });
      resolve({ alike, found });
    };
    const script = document.createElement("script");
    script.src = `${folder}rules_search.js`;
    script.onerror = () => resolve({ alike: new Map(), found: [] });
    document.head.append(script);
  });

  // How well a word fits some words: 1 for the word itself, less for one that means the same, 0 for neither.
  const fit = (word, words, alike) => words.includes(word) ? 1 : (alike.get(word) ?? []).some((other) => words.includes(other)) ? 0.6 : 0;

  const objects = ({ alike, found }, asked, why) => found.flatMap((each) => {
    let [score, titled] = [0, 0];
    for (const word of asked) {
      const inTitle = fit(word, each.words, alike);
      const inMore = fit(word, each.more, alike);
      if (!inTitle && !inMore) return [];
      score += Math.max(20 * inTitle, 8 * inMore);
      titled += inTitle;
    }
    score = score / asked.length + (10 * titled) / Math.max(each.words.length, asked.length);
    return [{ ...each, score: score + each.weight + (why && each.refuses ? 40 : 0) }];
  }).sort((one, other) => other.score - one.score).slice(0, MOST);

  const filesOf = (table, word) => Object.hasOwn(table, word) ? [table[word]].flat() : [];

  // The pages that have all words: a page counts more if a word is in its title. A word that no page has may be the beginning of one.
  const pages = ({ terms, titleterms }, asked, alike) => {
    const begin = (table, word) => Object.keys(table).filter((term) => term.startsWith(word)).flatMap((term) => [table[term]].flat());
    const scores = asked.map((word) => {
      const score = new Map();
      const note = (files, value) => files.forEach((file) => score.set(file, Math.max(score.get(file) ?? 0, value)));
      for (const [each, share] of [[word, 1], ...(alike.get(word) ?? []).map((other) => [other, 0.6])]) {
        note(filesOf(titleterms, each), 15 * share);
        note(filesOf(terms, each), 5 * share);
      }
      if (!score.size && word.length > 2) { note(begin(titleterms, word), 6); note(begin(terms, word), 2); }
      return score;
    });
    const [first, ...rest] = scores;
    return [...(first?.keys() ?? [])].filter((file) => rest.every((each) => each.has(file)))
      .map((file) => [file, scores.reduce((sum, each) => sum + each.get(file), 0) / asked.length]);
  };

  const query = Search.query;
  Search.query = async (text) => {
    const data = await read;
    Search._performSearch = (asked, _terms, excluded) => {
      const all = split(asked);
      const why = all.includes("why") || all.some((word) => ["can't", "cant", "cannot", "forbidden", "illegal"].includes(word));
      const words = all.filter((word) => !QUESTION.has(word));
      const stems = [...new Set((words.length ? words : all).map(stem))];
      if (!stems.length) return [];
      const { docnames, filenames, titles, terms } = Search._index;
      const at = new Map(docnames.map((name, number) => [name, number]));
      const left = new Set([...excluded].flatMap((word) => filesOf(terms, word)));
      const results = pages(Search._index, stems, data.alike).filter(([file]) => !left.has(file))
        .map(([file, score]) => [docnames[file], titles[file], "", null, score, filenames[file], "text"]);
      for (const each of objects(data, stems, why)) {
        if (!at.has(each.page)) continue;
        results.push([each.page, each.title, `#${each.anchor}`, each.descr, each.score, filenames[at.get(each.page)], "object"]);
      }
      return results.sort((one, other) => one[4] - other[4]); // the best is shown first, taken from the end
    };
    query(text);
  };
})();
