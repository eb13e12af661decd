/* Five counters that go up and down: the model of spec/counters/game.rules. */
byte value[5];

active proctype clerk() {
  do
  :: d_step { value[0] < 15 -> value[0]++ }
  :: d_step { value[1] < 15 -> value[1]++ }
  :: d_step { value[2] < 15 -> value[2]++ }
  :: d_step { value[3] < 15 -> value[3]++ }
  :: d_step { value[4] < 15 -> value[4]++ }
  :: d_step { value[0] > 0 -> value[0]-- }
  :: d_step { value[1] > 0 -> value[1]-- }
  :: d_step { value[2] > 0 -> value[2]-- }
  :: d_step { value[3] > 0 -> value[3]-- }
  :: d_step { value[4] > 0 -> value[4]-- }
  od
}
