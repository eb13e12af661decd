-- Three players and a bank of 120 tokens: the model of spec/bank/game.rules.
type player: 0..2; tokens: 0..120;
var bank: tokens; hand: array [player] of tokens; turn: player;

startstate begin
  bank := 120; turn := 0;
  for p: player do hand[p] := 0; end;
end;

ruleset n: 1..2 do
  rule "take" bank >= n ==> begin bank := bank - n; hand[turn] := hand[turn] + n; turn := (turn + 1) % 3; end;
end;
rule "pay back" hand[turn] >= 1 ==> begin hand[turn] := hand[turn] - 1; bank := bank + 1; turn := (turn + 1) % 3; end;
ruleset to_: player do
  rule "give" to_ != turn & hand[turn] >= 1 ==>
  begin hand[turn] := hand[turn] - 1; hand[to_] := hand[to_] + 1; turn := (turn + 1) % 3; end;
end;
rule "pass" true ==> begin turn := (turn + 1) % 3; end;
