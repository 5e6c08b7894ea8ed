# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Placed functions: run as said, within the budget, never dearer than greedy spilling, and the optimum of small ones."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
from typing import Any, Callable, Iterator

import pytest

import tilemeter as ttnn
from tilemeter import trace as tp

DRAM, L1 = ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG


def tensor(device: Any, *shape: int) -> Any:
    return ttnn.ones(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


@contextlib.contextmanager
def only(device: Any, budget: int) -> Iterator[None]:
    """So many bytes of L1 are there, the rest is taken from its top."""
    before = ttnn.graph.extract_mock_allocator_state(device)
    bank = ttnn.get_memory_view(device, ttnn.BufferType.L1).total_bytes_per_bank
    taken = (bank - budget) // 32 * 32
    rest = [ttnn.graph.AllocationRecord(ttnn.BufferType.L1, 1_499_136 - taken, taken)] if taken else []
    device.clear_program_cache()
    ttnn.graph.override_mock_allocator_state(device, before.with_allocations([*before.allocations(), *rest]))
    try:
        yield
    finally:
        device.clear_program_cache()
        ttnn.graph.override_mock_allocator_state(device, before)


def branches(count: int) -> Callable[[Any], Any]:
    def f(x: Any) -> Any:
        made = [ttnn.exp(x) if i % 2 else ttnn.silu(x) for i in range(count)]
        total = made[0]
        for each in made[1:]:
            total = ttnn.add(total, each)
        return ttnn.layer_norm(total, memory_config=DRAM)

    return f


def test_more_l1_costs_no_more_and_greedy_is_never_cheaper(device: Any) -> None:
    x, f = tensor(device, 1, 1, 2048, 2048), branches(9)
    costs = []
    for part in range(1, 11):
        placed = tp.place(f, x, l1=f"{10 * part}%")
        assert placed.least_dram_bytes <= placed.dram_bytes <= placed.greedy_dram_bytes <= placed.all_dram_bytes
        with only(device, placed.l1):
            placed.replay(x)
        costs.append(placed.dram_bytes)
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < 0.6 * placed.all_dram_bytes < costs[0]


def test_a_placed_function_runs_as_said(device: Any) -> None:
    x = ttnn.rand([1, 1, 512, 512], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    w = ttnn.rand([1, 1, 512, 512], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    def f(x: Any, *, w: Any) -> Any:
        pieces = ttnn.split(x @ w, 256, 3)
        flat = ttnn.reshape(pieces[0], [1, 1, 256, 512])  # in the place of its input, or not
        ttnn.deallocate(x * 2)
        return ttnn.softmax(ttnn.concat(pieces, dim=3), dim=-1), flat + 1

    placed = tp.place(f, x, w=w, l1="50%")
    with only(device, placed.l1):
        results = [ttnn.to_numpy(each) for each in placed.replay(x, w=w)]
    for one, other in zip(results, f(x, w=w)):
        assert (one == ttnn.to_numpy(other)).all()
    assert placed.code()[0].endswith("ttnn.matmul(..., memory_config=ttnn.L1_MEMORY_CONFIG)")
    assert placed.code()[0].startswith("test_placement.py:")
    assert str(placed).startswith(f"{placed.dram_bytes:,.0f} B of DRAM read and written within ")


def test_what_is_alive_counts(device: Any) -> None:
    x = tensor(device, 1, 1, 2048, 2048)
    alone = tp.place(branches(6), x)
    alive = [ttnn.ones([1, 1, 4096, 4096], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1)]
    beside = tp.place(branches(6), x)
    assert beside.dram_bytes > alone.dram_bytes
    assert any(each["why"] for each in beside.places)
    assert "out_of_memory" in str(beside) or "clash" in str(beside) or "fragmented" in str(beside)
    del alive


def arity(call: Any) -> int:
    return 2 if call in (ttnn.add, ttnn.multiply) else 1


Calls = list[tuple[Any, list[int]]]  # what is called, and the values that it reads: 0 is the argument


def small_function(chance: random.Random) -> tuple[Calls, Callable[[Any], Any]]:
    calls: Calls = []
    for number in range(chance.randint(2, 5)):
        call = chance.choice((ttnn.add, ttnn.multiply, ttnn.relu, ttnn.exp))
        reads = [chance.randrange(number + 1), chance.randrange(number + 1)]
        calls.append((call, reads[: arity(call)]))

    def f(x: Any) -> Any:
        values = [x]
        for number, (call, reads) in enumerate(calls):
            kwargs = {"memory_config": DRAM} if number == len(calls) - 1 else {}
            values.append(call(*(values[each] for each in reads), **kwargs))
        return values[-1]

    return calls, f


def rows_of_tiles() -> Any:
    """Shards of 64 rows of tiles, one for each core."""
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(7, 7))])
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1,
                             ttnn.ShardSpec(cores, [32, 2048], ttnn.ShardOrientation.ROW_MAJOR))


def ways(calls: Calls) -> Iterator[tuple[list[Any], dict[int, tuple[int, int, Any]]]]:
    """Each choice of a memory for each result, and of a copy for each value that is read often: in L1 for some of its reads in a row, or
    in DRAM behind its first reads."""
    reading = [[number for number, (_, reads) in enumerate(calls) if value in reads] for value in range(len(calls))]
    copies: list[list[Any]] = []
    for numbers in reading:
        options: list[Any] = [None]
        if len(numbers) >= 3:
            options += [(first, last + 1, L1) for first in numbers for last in numbers if first < last]
            options += [(each + 1, numbers[-1] + 1, DRAM) for each in numbers[:-1]]
        copies.append(options)
    for memory in itertools.product((DRAM, L1, rows_of_tiles()), repeat=len(calls) - 1):
        for chosen in itertools.product(*copies):
            taken = {value: copy for value, copy in enumerate(chosen) if copy is not None}
            if all(([DRAM, *memory][value] is DRAM) != (copy[2] is DRAM) for value, copy in taken.items()):
                yield [DRAM, *memory, DRAM], taken


def cost_of(calls: Calls, memory: list[Any], copies: dict[int, tuple[int, int, Any]]) -> int:
    """In tensors: read from DRAM, written there, and moved by copies."""
    total = sum(1 + 1 for _ in copies)  # each is moved, and either reads DRAM or writes there
    for number, (_, reads) in enumerate(calls):
        for value in set(reads):
            begin, end, to = copies.get(value, (0, 0, None))
            total += (to if begin <= number < end else memory[value]) is DRAM
        total += memory[number + 1] is DRAM
    return total


def fits(device: Any, calls: Calls, x: Any, memory: list[Any], copies: dict[int, tuple[int, int, Any]]) -> bool:
    """Whether a run of it, planned, finds room; values go after their last use."""
    device.clear_program_cache()
    last = {number + 1: number for number in range(len(calls))} | {value: number for number, (_, reads) in enumerate(calls) for value in reads}
    values, copied = {0: x}, {}
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NO_DISPATCH)
    try:
        for number, (call, reads) in enumerate(calls):
            for value, (begin, end, to) in copies.items():
                if begin == number:
                    copied[value] = ttnn.to_memory_config(values[value], to)
                    if end > last[value] and value != 0:
                        del values[value]
            operands = [copied.get(each) if each in copied else values[each] for each in reads]
            values[number + 1] = call(*operands, memory_config=memory[number + 1])
            del operands
            for value in [each for each in copied if copies[each][1] == number + 1]:
                del copied[value]
            for value in [each for each in values if each not in (0, len(calls)) and last[each] == number]:
                del values[value]
        return True
    except RuntimeError:
        return False
    finally:
        ttnn.graph.end_graph_capture()


@pytest.mark.parametrize("seed", range(int(os.environ.get("TILEMETER_PLACEMENTS", "6"))))
def test_small_functions_are_placed_at_the_least(device: Any, seed: int) -> None:
    chance = random.Random(seed)
    calls, f = small_function(chance)
    x = tensor(device, 1, 1, 2048, 2048)
    budget = chance.randint(3, 8) * 131_072 + chance.choice((0, 8_192, 65_536))
    placed = tp.place(f, x, l1=budget)
    size, least = 2048 * 2048 * 2, float("inf")
    with only(device, budget):
        placed.replay(x)
        for memory, copies in ways(calls):
            cost = cost_of(calls, memory, copies) * size
            if cost < least and fits(device, calls, x, memory, copies):
                least = cost
    assert placed.cost == least
    assert placed.cost == placed.dram_bytes + placed.moved_bytes


def test_bad_input_is_refused_in_one_line(device: Any) -> None:
    x = tensor(device, 1, 1, 64, 64)
    for call, text in (
        (lambda: tp.place(ttnn.relu), "found no tensor on a device"),
        (lambda: tp.place(branches(3), x, l1=64), "place: l1: expected more than 64 B"),
        (lambda: tp.place(branches(3), x, l1="much"), "much"),
    ):
        with pytest.raises((tp.TraceError, ValueError), match=text):
            call()


def test_a_function_is_a_program(device: Any) -> None:
    x, f = tensor(device, 1, 1, 1024, 1024), branches(5)
    steps, inputs = tp.program_steps(f, x)
    assert [each.name for each in steps][:2] == ["ttnn.silu", "ttnn.exp"] and len(steps) == 10
    state = ttnn.graph.extract_mock_allocator_state(device)
    planned = ttnn.graph.plan_program(steps, device, state, inputs=inputs)
    assert planned.failure is None and planned.inputs[0][1].address == x.buffer_address()
    # The places of a run that drops what is read no more.
    made = [ttnn.exp(x) if i % 2 else ttnn.silu(x) for i in range(5)]
    assert [each.buffer_address() for each in made] == [each.output_allocations[0].address for each in planned.steps[:5]]
    total = ttnn.add(made[0], made[1])
    assert total.buffer_address() == planned.steps[5].output_allocations[0].address
    parts = ttnn.graph.plan_program(steps, device, state, inputs=inputs, traces=[0, 5])
    assert len(parts.traces[1].alive) == 6  # x and five branches
