"""Inputs made from seeds: the same seed number always gives the same inputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

_USUAL = 60_000
_NUMBERS = (b"0", b"-1", b"1e999", b"99999999999999999999", b"2147483648", b"NaN", b"0x7f", b"00000001")

Mutation = Callable[[bytearray, random.Random, Sequence[bytes], Sequence[bytes]], None]


def inputs(seeds: Sequence[bytes], words: Sequence[bytes], number: int, largest: int) -> Iterator[bytes]:
    """Yield inputs without end; one in twenty is blown up, to `largest` at most."""
    yield from (seed[:largest] for seed in seeds)
    index = 0
    while True:
        dice = random.Random(f"{number}/{index}")
        index += 1
        seed = dice.choice(seeds)
        begin = dice.randrange(len(seed)) if len(seed) > _USUAL else 0
        data = bytearray(seed[begin : begin + _USUAL])
        for _ in range(dice.randrange(1, 9)):
            dice.choice(_MUTATIONS)(data, dice, seeds, words)
        if dice.randrange(20) == 0:
            room = int((largest - len(data)) * 10 ** dice.uniform(-2, 0))
            dice.choice((_nest, _repeat, _fill))(data, dice, words, max(1, room))
        yield bytes(data[:largest])


def _slice(data: bytes | bytearray, dice: random.Random, longest: int) -> tuple[int, int]:
    begin = dice.randrange(len(data) + 1)
    return begin, min(len(data), begin + dice.randrange(1, longest + 1))


def _flip(data: bytearray, dice: random.Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    for _ in range(dice.randrange(1, 20) if data else 0):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def _noise(data: bytearray, dice: random.Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    begin, end = _slice(data, dice, 40)
    data[begin:end] = dice.randbytes(dice.randrange(40))


def _delete(data: bytearray, dice: random.Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    begin, end = _slice(data, dice, 1 + len(data) // 4)
    del data[begin:end]


def _double(data: bytearray, dice: random.Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    begin, end = _slice(data, dice, 200)
    data[begin:begin] = data[begin:end] * dice.randrange(1, 20)


def _insert(data: bytearray, dice: random.Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    for _ in range(dice.randrange(1, 6)):
        at = dice.randrange(len(data) + 1)
        data[at:at] = dice.choice(words)


def _number(data: bytearray, dice: random.Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    begin, end = _slice(data, dice, 4)
    data[begin:end] = dice.choice(_NUMBERS)


def _splice(data: bytearray, dice: random.Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    other = dice.choice(seeds)
    begin, end = _slice(other, dice, 2000)
    at = dice.randrange(len(data) + 1)
    data[at:at] = other[begin:end]


def _truncate(data: bytearray, dice: random.Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> None:
    del data[dice.randrange(len(data) + 1) :]


def _repeat(data: bytearray, dice: random.Random, words: Sequence[bytes], room: int) -> None:
    """One short piece of the input, over and over."""
    begin, end = _slice(data, dice, 60)
    piece = bytes(data[begin:end]) or b"a"
    data[begin:end] = piece * (room // len(piece))


def _fill(data: bytearray, dice: random.Random, words: Sequence[bytes], room: int) -> None:
    """A few words of the language, over and over."""
    piece = b"".join(dice.choices(words, k=dice.randrange(1, 5)))
    at = dice.randrange(len(data) + 1)
    data[at:at] = piece * (room // len(piece))


def _nest(data: bytearray, dice: random.Random, words: Sequence[bytes], room: int) -> None:
    """A word many times, the input, and another word as many times."""
    before, after = dice.choice(words), dice.choice(words)
    times = room // (len(before) + len(after))
    data[:] = before * times + data + after * times


_MUTATIONS: Sequence[Mutation] = (
    *(_flip, _noise, _delete, _double, _double, _insert, _insert, _insert, _number, _splice, _truncate),
)
