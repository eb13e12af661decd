/* The player that thinks, away from the page: it gets positions and answers with moves. */
let rules = null;
onmessage = async ({ data }) => {
  if (data.about) { rules = PilgrimRules.load(data.about, data.module); return; }
  const game = await rules;
  game.put(data.position);
  postMessage({ id: data.id, move: game.think(data.effort) });
};
