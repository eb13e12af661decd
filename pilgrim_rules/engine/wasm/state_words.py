"""State words: a state in as few words of 64 bits as its variables need, for sets of many states.

Reads:  a core game and its layout.   Writes: `StateWords`: packing and unpacking, in Python and as WebAssembly.
After:  two states that play can reach from one start are equal exactly if their words are.

A variable that no action writes keeps its first value, so it takes no room; nor does one cell of each conserved sum, which is worked out from the
others: a state that does not keep the sum is refused. Any other cell takes the bits of its type, and never lies in two words. Open counters have no place here.
"""

from __future__ import annotations

from pilgrim_rules.core.footprint import writes
from pilgrim_rules.core.ir import Game
from pilgrim_rules.engine.kernels.primitives import CLAIM_BROKEN
from pilgrim_rules.engine.wasm.determined_cells import DeterminedCell, Place, determined_cells, number_at
from pilgrim_rules.semantics.state_layout import StateLayout
from pilgrim_rules.util.fast_dataclass import dataclass

WORD = 64
_MOST = 32  #: words of a state for which there are functions; a larger one is not searched


@dataclass(frozen=True, slots=True)
class CellBits:
    """A cell: where its bytes are in the state, and its bits in the words."""

    offset: int
    width: int
    word: int
    shift: int
    bits: int


@dataclass(frozen=True, slots=True)
class StateWords:
    """Where every cell that changes lies."""

    cells: tuple[CellBits, ...]
    words: int
    determined: tuple[DeterminedCell, ...] = ()

    @property
    def bits(self) -> int:
        """How many bits the words have that are used, from the first on."""
        return max((WORD * cell.word + cell.shift + cell.bits for cell in self.cells), default=0)

    @property
    def last_word(self) -> int:
        """The bits of the last word that are used."""
        return (1 << max(self.bits - WORD * (self.words - 1), 0)) - 1

    @property
    def stride(self) -> int:
        """How many bytes hold the bits that are used."""
        return max(1, -(-self.bits // 8))

    @property
    def is_small(self) -> bool:
        """Whether states of this size are searched at all."""
        return self.words <= _MOST

    def keeps(self, state: bytes) -> bool:
        """Return whether the cells that are left out are what the others say."""
        return all(each.number(state) == number_at(state, each.place) for each in self.determined)

    def pack(self, state: bytes) -> bytes:
        """Return the words of a state; ValueError if they would not tell what is left out."""
        if not self.keeps(state):
            raise ValueError("a conserved sum is not what it was")
        words = [0] * self.words
        for cell in self.cells:
            words[cell.word] |= int.from_bytes(state[cell.offset : cell.offset + cell.width], "little") << cell.shift
        return b"".join(word.to_bytes(8, "little") for word in words)

    def unpack(self, packed: bytes, other: bytes) -> bytes:
        """Return the state with these words; what never changes is as in another state."""
        state = bytearray(other)
        words = [int.from_bytes(packed[at : at + 8], "little") for at in range(0, len(packed), 8)]
        for cell in self.cells:
            value = words[cell.word] >> cell.shift & ((1 << cell.bits) - 1)
            state[cell.offset : cell.offset + cell.width] = value.to_bytes(cell.width, "little")
        for each in self.determined:
            offset, width = each.place
            state[offset : offset + width] = each.number(state).to_bytes(width, "little")
        return bytes(state)

    def functions(self) -> tuple[str, str]:
        """Return `$pack` and `$unpack` as WebAssembly; of a state that is too large they only stop."""
        pack, unpack = (f"(func ${name} (param $state i32) (param $words i32)" for name in ("pack", "unpack"))
        if not self.is_small:
            return f"{pack} unreachable)", f"{unpack} unreachable)"
        into = [[f"{pack}", *map(_refused, self.determined)], [f"{unpack} (local $word i64)"]]
        for word in range(self.words):
            cells = [cell for cell in self.cells if cell.word == word]
            into[0].append(f"local.get $words {_packed(cells)} i64.store offset={8 * word}")
            into[1].append(f"local.get $words i64.load offset={8 * word} local.set $word")
            into[1] += map(_unpacked, cells)
        into[1] += (
            f"local.get $state {_worked_out(each)} i64.store{8 * each.place[1]} offset={each.place[0]}"
            for each in self.determined
        )
        return "\n".join([*into[0], ")"]), "\n".join([*into[1], ")"])


def _packed(cells: list[CellBits]) -> str:
    parts = []
    for cell in cells:
        shifted = f" i64.const {cell.shift} i64.shl" if cell.shift else ""
        parts.append(f"local.get $state i64.load{8 * cell.width}_u offset={cell.offset}{shifted}")
    return " ".join([parts[0], *(f"{part} i64.or" for part in parts[1:])]) if parts else "i64.const 0"


def _unpacked(cell: CellBits) -> str:
    shifted = f"i64.const {cell.shift} i64.shr_u " if cell.shift else ""
    value = f"local.get $word {shifted}i64.const {(1 << cell.bits) - 1} i64.and"
    return f"local.get $state {value} i64.store{8 * cell.width} offset={cell.offset}"


def _number(place: Place) -> str:
    return f"local.get $state i64.load{8 * place[1]}_u offset={place[0]}"


def _worked_out(cell: DeterminedCell) -> str:
    """Return the code for the number of a cell that is left out."""
    parts = [f"i64.const {cell.base}"]
    for place, times in cell.others:
        match times:
            case 1:
                parts.append(f"{_number(place)} i64.add")
            case -1:
                parts.append(f"{_number(place)} i64.sub")
            case _:  # more often
                parts.append(f"{_number(place)} i64.const {times} i64.mul i64.add")
    return " ".join(parts)


def _refused(cell: DeterminedCell) -> str:
    zeros = "i64.const 0 " * 3
    return f"{_worked_out(cell)} {_number(cell.place)} i64.ne if i32.const {CLAIM_BROKEN} {zeros}call $stop end"


def state_words(game: Game, layout: StateLayout) -> StateWords:
    """Return where the cells of a game's states lie."""
    written = frozenset().union(*(writes(action.body) for action in game.actions))
    determined = determined_cells(game, layout, written)
    left_out = {each.place for each in determined}
    cells: list[CellBits] = []
    word = used = 0
    for field in layout.fields:
        bits = (field.variable.type.size - 1).bit_length()
        if field.variable.name not in written or field.variable.type.is_open or not bits:
            continue
        for at in range(field.count):
            if (field.offset + at * field.width, field.width) in left_out:
                continue
            if used + bits > WORD:
                word, used = word + 1, 0
            cells.append(CellBits(field.offset + at * field.width, field.width, word, used, bits))
            used += bits
    return StateWords(tuple(cells), word + 1, determined)
