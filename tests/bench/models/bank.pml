/* Three players and a bank of 120 tokens: the model of spec/bank/game.rules. */
byte bank = 120;
byte hand[3];
byte turn;

active proctype table() {
  do
  :: d_step { bank >= 1 -> bank = bank - 1; hand[turn] = hand[turn] + 1; turn = (turn + 1) % 3 }
  :: d_step { bank >= 2 -> bank = bank - 2; hand[turn] = hand[turn] + 2; turn = (turn + 1) % 3 }
  :: d_step { hand[turn] >= 1 -> hand[turn] = hand[turn] - 1; bank = bank + 1; turn = (turn + 1) % 3 }
  :: d_step { hand[turn] >= 1 -> hand[turn] = hand[turn] - 1; hand[(turn + 1) % 3] = hand[(turn + 1) % 3] + 1;
              turn = (turn + 1) % 3 }
  :: d_step { hand[turn] >= 1 -> hand[turn] = hand[turn] - 1; hand[(turn + 2) % 3] = hand[(turn + 2) % 3] + 1;
              turn = (turn + 1) % 3 }
  :: d_step { turn = (turn + 1) % 3 }
  od
}
