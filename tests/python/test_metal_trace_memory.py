# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The memory that replays of metal traces read and write, against an interpreter over memory that knows addresses
alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest

import tilemeter as ttnn
import tilemeter.trace as tp

TILE = 32
BANKS = {"DRAM": 12, "L1": 64}
MEMORY = {"DRAM": ttnn.DRAM_MEMORY_CONFIG, "L1": ttnn.L1_MEMORY_CONFIG}
SIZES = {"bfloat16": 2, "float32": 4}
Place = tuple[str, int, tuple[int, ...], str]  # memory, address, shape, dtype


class Memory:
    """Pages by bank and address, with element type and shape of who wrote them. A page is a tile; two of them that overlap are
    never both there."""

    def __init__(self) -> None:
        self.pages: dict[tuple[str, int, int], tuple[tuple[str, tuple[int, ...]], Any]] = {}

    def _tiles(self, place: Place) -> Iterator[tuple[tuple[str, int, int], int, int]]:
        memory, address, shape, dtype = place
        size, columns = SIZES[dtype] * TILE * TILE, shape[-1] // TILE
        for page in range(shape[-2] // TILE * columns):
            at = address + page // BANKS[memory] * size
            yield (memory, page % BANKS[memory], at), page // columns, page % columns

    def write(self, place: Place, value: Any) -> None:
        size = SIZES[place[3]] * TILE * TILE
        for (memory, bank, at), row, column in self._tiles(place):
            for other in [key for key in self.pages if key[:2] == (memory, bank)]:
                if at < other[2] + SIZES[self.pages[other][0][0]] * TILE * TILE and other[2] < at + size:
                    del self.pages[other]
            tile = value[row * TILE:(row + 1) * TILE, column * TILE:(column + 1) * TILE]
            self.pages[memory, bank, at] = ((place[3], place[2]), tile.copy())

    def read(self, place: Place) -> Any:
        """None where some page holds something else."""
        value = numpy.zeros(place[2][-2:], dtype=numpy.float32)
        for key, row, column in self._tiles(place):
            form, tile = self.pages.get(key, (("", ()), None))
            if form != (place[3], place[2]):
                return None
            value[row * TILE:(row + 1) * TILE, column * TILE:(column + 1) * TILE] = tile
        return value


def place_of(tensor: Any) -> Place:
    memory = "L1" if tensor.memory_config().buffer_type == ttnn.BufferType.L1 else "DRAM"
    return memory, tensor.buffer_address(), tuple(tensor.shape), tensor.dtype.name.lower()


class Calls:
    """Programs over tensors, run now or recorded; the same over memory."""

    STEPS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
        "relu": (ttnn.relu, lambda x: numpy.maximum(x, 0)),
        "neg": (ttnn.neg, lambda x: -x),
        "add": (ttnn.add, lambda x, y: x + y),
        "maximum": (ttnn.maximum, numpy.maximum),
        "add_": (ttnn.add_, lambda x, y: x + y),
    }

    def __init__(self) -> None:
        self.steps: list[tuple[str, list[Place], Place]] = []

    def call(self, name: str, *operands: Any) -> Any:
        result = self.STEPS[name][0](*operands)
        self.steps.append((name, [place_of(each) for each in operands], place_of(result)))
        return result

    def over(self, memory: Memory) -> bool:
        """True if all that it reads is known."""
        for name, operands, result in self.steps:
            values = [memory.read(each) for each in operands]
            if any(each is None for each in values):
                return False
            value = self.STEPS[name][1](*values)
            memory.write(result, bfloat16(value) if result[3] == "bfloat16" else value.astype(numpy.float32))
        return True


def bfloat16(value: Any) -> Any:
    bits = value.astype(numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(numpy.uint32).view(numpy.float32)


class Sequence:
    SHAPES = ((1, 1, 32, 32), (1, 1, 32, 64), (1, 1, 64, 64), (1, 1, 64, 32))

    def __init__(self, device: Any, seed: int) -> None:
        self.device, self.rng = device, random.Random(seed)
        self.memory, self.live = Memory(), []
        self.traces: list[tuple[Any, Calls]] = []
        self.right = self.refused = 0

    def host(self, shape: tuple[int, ...], dtype: str) -> tuple[Any, Any]:
        value = numpy.array([self.rng.randrange(-3, 4) for _ in range(shape[-1] * shape[-2])], dtype=numpy.float32).reshape(shape)
        made = ttnn.from_numpy(value, dtype=getattr(ttnn, dtype), layout=ttnn.TILE_LAYOUT)
        return made, value[0, 0]

    def spec(self) -> tuple[tuple[int, ...], str, str]:
        return self.rng.choice(self.SHAPES), self.rng.choice(("bfloat16", "bfloat16", "float32")), self.rng.choice(("DRAM", "L1"))

    def empty(self, shape: tuple[int, ...], dtype: str, memory: str) -> Any:
        return ttnn.allocate_tensor_on_device(ttnn.Shape(shape), getattr(ttnn, dtype), ttnn.TILE_LAYOUT, self.device, MEMORY[memory])

    def write(self, tensor: Any) -> None:
        host, value = self.host(tuple(tensor.shape), tensor.dtype.name.lower())
        ttnn.copy_host_to_device_tensor(host, tensor)
        self.memory.write(place_of(tensor), value)

    def allocate(self) -> None:
        tensor = self.empty(*self.spec())
        self.write(tensor)
        self.live.append(tensor)

    def free(self) -> None:
        if self.live:
            ttnn.deallocate(self.live.pop(self.rng.randrange(len(self.live))))

    def capture(self) -> None:
        """Some tensors are freed in the capture, and allocated again, at their place or at another's."""
        calls, rng = Calls(), self.rng
        trace = ttnn.begin_trace_capture(self.device, cq_id=0)
        written, made_here = list(self.live), []
        for _ in range(rng.randrange(1, 6)):
            if not written:
                break
            name, x = rng.choice(list(Calls.STEPS)), rng.choice(written)
            alike = [each for each in written if place_of(each)[2:] == place_of(x)[2:] and place_of(each)[0] == place_of(x)[0]]
            made = calls.call(name, x) if name in ("relu", "neg") else calls.call(name, x, rng.choice(alike))
            if name != "add_":
                written.append(made)
                self.live.append(made)
                made_here.append(made)
            if rng.random() < 0.4:
                gone = rng.choice(written)
                shape, dtype, memory = tuple(gone.shape), place_of(gone)[3], place_of(gone)[0]
                written = [each for each in written if each is not gone]
                self.live = [each for each in self.live if each is not gone]
                ttnn.deallocate(gone)
                if rng.random() < 0.6:
                    again = (shape, dtype, memory) if rng.random() < 0.7 else self.spec()
                    self.live.append(self.empty(*again))
                    made_here.append(self.live[-1])
        ttnn.end_trace_capture(self.device, trace, cq_id=0)
        self.traces.append((trace, calls))
        for tensor in made_here:
            if tensor.is_allocated():
                self.write(tensor)

    def execute(self) -> None:
        if not self.traces:
            return
        trace, calls = self.rng.choice(self.traces)
        after = Memory()
        after.pages = dict(self.memory.pages)
        known = calls.over(after)
        try:
            ttnn.execute_trace(self.device, trace, cq_id=0)
        except RuntimeError as problem:
            assert "expected a tensor of the same pages there, found" in str(problem)
            self.refused += 1
            return
        if not known:  # an unknown value is not computed, and says so
            self.memory = Memory()
            for tensor in self.live:
                self.write(tensor)
            return
        self.memory = after

    def check(self) -> None:
        for tensor in self.live:
            expected = self.memory.read(place_of(tensor))
            try:
                found = tensor.to_numpy()
            except RuntimeError as problem:
                assert expected is None and "wrote over its memory" in str(problem)
                self.write(tensor)
                continue
            assert expected is not None
            assert numpy.array_equal(found[0, 0], expected), (tuple(tensor.shape), tensor.dtype)
            self.right += 1

    def run(self, steps: int) -> None:
        for _ in range(4):
            self.allocate()
        for _ in range(steps):
            self.rng.choice((self.allocate, self.free, self.capture, self.execute, self.execute, self.execute))()
            self.check()


def warm_up(device: Any) -> None:
    for dtype in SIZES:
        for memory in MEMORY.values():
            x = ttnn.ones([1, 1, 32, 32], dtype=getattr(ttnn, dtype), layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory)
            for name, (function, _) in Calls.STEPS.items():
                function(x) if name in ("relu", "neg") else function(x, x)


def test_replays_read_and_write_what_lies_at_their_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n150")
    right = refused = 0
    for seed in range(60):
        device = ttnn.open_device(device_id=0, trace_region_size=1 << 20)
        warm_up(device)
        sequence = Sequence(device, seed)
        sequence.run(30)
        right, refused = right + sequence.right, refused + sequence.refused
        ttnn.close_device(device)
    assert right > 1000 and refused > 10


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any, Any]]:
    """A device, a trace whose input was freed in it, and the result."""
    monkeypatch.setenv("TILEMETER_DEVICE", "n150")
    device = ttnn.open_device(device_id=0, trace_region_size=1 << 20)
    warm_up(device)
    x = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    trace = ttnn.begin_trace_capture(device, cq_id=0)
    y = ttnn.add(x, x)
    ttnn.deallocate(x)
    ttnn.end_trace_capture(device, trace, cq_id=0)
    yield device, trace, y
    ttnn.close_device(device)


def filled(device: Any, value: float, shape: tuple[int, ...] = (1, 1, 64, 64), dtype: Any = ttnn.bfloat16) -> Any:
    return ttnn.full(shape, value, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


def test_an_input_that_is_allocated_again_at_its_place_is_read_there(traced: tuple[Any, Any, Any]) -> None:
    device, trace, y = traced
    ttnn.execute_trace(device, trace, cq_id=0)
    assert (y.to_numpy() == 2).all()  # the values at the time of the free
    again = filled(device, 5)
    (hazard,) = tp.metal_trace_hazards(device, trace)
    assert hazard.by == "reader" and hazard.address == again.buffer_address()
    assert "ttnn.add of the trace reads it in the place of an input that was freed" in str(hazard)
    ttnn.execute_trace(device, trace, cq_id=0)
    assert (y.to_numpy() == 10).all()


def test_another_tensor_in_the_place_of_an_input_is_refused_in_words(traced: tuple[Any, Any, Any]) -> None:
    device, trace, y = traced
    other = filled(device, 5, (1, 1, 32, 128))
    with pytest.raises(RuntimeError, match=r"execute_trace: ttnn.add reads buffer \d+ \(\[1, 1, 64, 64\] DataType::BFLOAT16.*expected a "
                                           r"tensor of the same pages there, found buffer \d+ \(\[1, 1, 32, 128\] DataType::BFLOAT16"):
        ttnn.execute_trace(device, trace, cq_id=0)
    assert {each.by for each in tp.metal_trace_hazards(device, trace)} >= {"reader"}
    ttnn.deallocate(other)
    same_bytes = filled(device, 3, (2, 1, 32, 64))
    ttnn.execute_trace(device, trace, cq_id=0)
    assert (y.to_numpy() == 6).all() and same_bytes.is_allocated()


def test_a_tensor_in_the_place_of_a_result_is_written_over(traced: tuple[Any, Any, Any]) -> None:
    device, trace, y = traced
    filled_again = filled(device, 1)  # the input's place
    address = y.buffer_address()
    ttnn.deallocate(y)
    other = filled(device, 7)
    assert other.buffer_address() == address
    ttnn.execute_trace(device, trace, cq_id=0)
    assert (other.to_numpy() == 2).all() and (filled_again.to_numpy() == 1).all()
    ttnn.deallocate(other)
    larger = filled(device, 7, (1, 1, 64, 64), ttnn.float32)
    assert larger.buffer_address() == address
    ttnn.execute_trace(device, trace, cq_id=0)
    with pytest.raises(RuntimeError, match="not computed, for a metal trace's ttnn.add wrote over its memory"):
        larger.to_numpy()
