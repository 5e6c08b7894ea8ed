# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Placed functions: run as said, within the budget, never dearer than greedy spilling, and the optimum of small ones."""

from __future__ import annotations

import contextlib
import random
from typing import Any, Callable, Iterator

import pytest
from cases import cases

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


MOST = 8  # intermediates of a small function
Calls = list[tuple[Any, list[int]]]  # what is called, and the values that it reads: 0 is the argument


def small_function(chance: random.Random) -> tuple[Calls, Callable[[Any], Any]]:
    calls: Calls = []
    for number in range(chance.randint(2, MOST + 1)):
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


class Optimum:
    """The least cost of a function, by trying each choice of a memory for each result, and of a copy for each value that is read often: in L1
    for some of its reads in a row, or in DRAM behind its first reads. Calls are asked one by one on the state that those before have left;
    what has cost as much as something known is not followed further."""

    def __init__(self, device: Any, calls: Calls, x: Any) -> None:
        self._device, self._calls, self._x = device, calls, x
        self._reads = [[number for number, (_, reads) in enumerate(calls) if value in reads] for value in range(len(calls) + 1)]
        self._asked: dict[Any, Any] = {}
        self.least = float("inf")

    def below(self, limit: float) -> float:
        """In tensors: read from DRAM, written there, and moved by copies; `limit` if nothing costs less."""
        self.least = limit
        state = ttnn.graph.extract_mock_allocator_state(self._device)
        self._from(0, state, {0: (self._x.spec, DRAM, None)}, {}, 0)
        return self.least

    def _ask(self, state: Any, call: Any, specs: list[Any], memory: Any) -> Any:
        """The result with its memory and record, and the state with it; none: it is refused."""
        key = (call.python_fully_qualified_name, tuple(map(str, specs)), str(memory),
               tuple((int(each.buffer_type.value), each.address, each.size_per_bank) for each in state.allocations()))
        if key not in self._asked:
            if call is ttnn.to_memory_config:
                answer = ttnn.graph.query_op_constraints_with_initial_state(call, self._device, state, *specs, memory)
            else:
                answer = ttnn.graph.query_op_constraints_with_initial_state(call, self._device, state, *specs, memory_config=memory)
            succeeds = answer.response.status == ttnn.graph.ExecutionStatus.Success
            self._asked[key] = ((answer.response.output_tensor_spec, memory, answer.output_allocations[0]), answer.new_state) if succeeds else None
        return self._asked[key]

    @staticmethod
    def _without(state: Any, records: list[Any]) -> Any:
        gone = {(int(each.buffer_type.value), each.address) for each in records}
        return state.with_allocations([each for each in state.allocations() if (int(each.buffer_type.value), each.address) not in gone])

    def _ways(self, value: int, number: int, lies_in_dram: bool) -> list[tuple[int, Any]]:
        """Copies of the value that may begin at this call: where they end, and their memory."""
        reads = self._reads[value]
        if len(reads) < 3:
            return []
        if lies_in_dram:
            return [(last + 1, L1) for last in reads if number in reads and last > number]
        return [(reads[-1] + 1, DRAM)] if number - 1 in reads[:-1] else []

    def _bound(self, number: int, alive: dict[int, Any], copies: dict[int, Any]) -> int:
        """No less is still to come: the result, and of values in DRAM their reads, or a copy of them."""
        return 1 + sum(min(2, sum(1 for each in self._reads[value] if each >= number)) for value, (_, memory, _) in alive.items()
                       if memory is DRAM and value not in copies)

    def _from(self, number: int, state: Any, alive: dict[int, Any], copies: dict[int, Any], cost: int, decided: int = 0) -> None:
        if number == len(self._calls):
            self.least = min(self.least, cost)
            return
        if cost + self._bound(number, alive, copies) >= self.least:
            return
        # Each value in turn is copied here, or not.
        for value in sorted(each for each in alive if each >= decided and each not in copies):
            for end, memory in self._ways(value, number, alive[value][1] is DRAM):
                answer = self._ask(state, ttnn.to_memory_config, [alive[value][0]], memory)
                if answer is None:
                    continue
                (made, after), rest = answer, dict(alive)
                if value != 0 and end > self._reads[value][-1]:
                    after = self._without(after, [rest.pop(value)[2]])
                self._from(number, after, rest, {**copies, value: (end, *made)}, cost + 2, value + 1)
        call, reads = self._calls[number]
        read = {value: copies[value][1:] if value in copies and number < copies[value][0] else alive[value] for value in reads}
        is_last = number == len(self._calls) - 1
        for memory in (DRAM,) if is_last else (L1, rows_of_tiles(), DRAM):
            answer = self._ask(state, call, [read[value][0] for value in reads], memory)
            if answer is None:
                continue
            made, after = answer
            paid = cost + sum(each[1] is DRAM for each in read.values()) + (memory is DRAM)
            rest, copied, gone = {**alive, number + 1: made}, dict(copies), []
            for value in [each for each in copied if copied[each][0] == number + 1]:
                gone.append(copied[value][3])
                copied[value] = (0, *copied[value][1:])  # there was one
            for value in [each for each in rest if each != 0 and not any(later > number for later in self._reads[each])]:
                if not is_last:
                    gone.append(rest.pop(value)[2])
            self._from(number + 1, self._without(after, gone), rest, copied, paid)


@pytest.mark.parametrize("seed", range(cases(6)))
def test_small_functions_are_placed_within_a_twentieth_of_the_least(device: Any, seed: int) -> None:
    chance = random.Random(seed)
    calls, f = small_function(chance)
    x = tensor(device, 1, 1, 2048, 2048)
    budget = chance.randint(3, 8) * 131_072 + chance.choice((0, 8_192, 65_536))
    placed = tp.place(f, x, l1=budget)
    size = 2048 * 2048 * 2
    with only(device, budget):
        placed.replay(x)
        least = Optimum(device, calls, x).below(placed.cost / size)
    assert placed.cost <= 1.05 * least * size
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
