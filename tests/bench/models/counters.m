-- Five counters that go up and down: the model of spec/counters/game.rules.
type counter: 0..4;
var value: array [counter] of 0..15;

startstate begin for k: counter do value[k] := 0; end; end;

ruleset k: counter do
  rule "up" value[k] < 15 ==> begin value[k] := value[k] + 1; end;
  rule "down" value[k] > 0 ==> begin value[k] := value[k] - 1; end;
end;
