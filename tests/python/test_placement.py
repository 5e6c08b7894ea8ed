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


def small_function(chance: random.Random) -> tuple[list[tuple[Any, list[int]]], Callable[[Any, list[Any]], Any]]:
    """Calls with what they read, and the function with each call's memory."""
    count = chance.randint(2, 5)
    calls: list[tuple[Any, list[int]]] = []
    for number in range(count):
        reads = [chance.randrange(number + 1), chance.randrange(number + 1)]
        calls.append((chance.choice((ttnn.add, ttnn.multiply, ttnn.relu, ttnn.exp)), reads))

    def f(x: Any, memory: list[Any] | None = None) -> Any:
        values = [x]
        last = {number + 1: number for number in range(len(calls) - 1)}
        last |= {read: number for number, (call, reads) in enumerate(calls) for read in reads[: arity(call)]}
        for number, (call, reads) in enumerate(calls):
            operands = [values[each] for each in reads][: arity(call)]
            given = {"memory_config": DRAM} if number == len(calls) - 1 else {} if memory is None else {"memory_config": memory[number]}
            values.append(call(*operands, **given))
            del operands
            for each in [each for each, at in last.items() if at == number and each != 0]:
                values[each] = None
        return values[-1]

    return calls, f


@pytest.mark.parametrize("seed", range(int(os.environ.get("TILEMETER_PLACEMENTS", "6"))))
def test_small_functions_are_placed_at_the_least(device: Any, seed: int) -> None:
    chance = random.Random(seed)
    calls, f = small_function(chance)
    x = tensor(device, 1, 1, 2048, 2048)
    budget = chance.randint(3, 8) * 131_072 + 65_536
    size, costs = 2048 * 2048 * 2, []
    for memory in itertools.product((DRAM, L1), repeat=len(calls) - 1):
        where = [DRAM, *memory, DRAM]
        used = [set(reads[: arity(call)]) for call, reads in calls]
        cost = sum((where[number + 1] is DRAM) + sum(where[each] is DRAM for each in reads) for number, reads in enumerate(used)) * size
        with contextlib.suppress(RuntimeError), only(device, budget):
            f(x, list(memory))
            costs.append(cost)
    placed = tp.place(f, x, l1=budget)
    assert placed.dram_bytes == min(costs)


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
