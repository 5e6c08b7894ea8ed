# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Training steps that keep less and compute again: their values beside those of the step as it was written, their peaks beside
captures of their replays."""

from __future__ import annotations

import gc
import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import training_models
import training_steps
from report_parts import buffers, programs, tree

import tilemeter as ttnn
import tilemeter.trace as tp

# The differentiated argument comes last.
MODELS: dict[str, tuple[Callable[..., Any], dict[str, int], int]] = {
    "minilm": (training_steps.minilm, {"sentences": 1, "layers": 2}, 2),
    "decoder": (training_steps.decoder, {}, 1),
    "gpt2_block": (training_steps.gpt2_block, {}, 2),
}


def step_of(device: Any, name: str) -> tuple[Callable[..., Any], list[Any]]:
    make, sizes, first = MODELS[name]
    loss, given = make(device, **sizes)
    return tp.value_and_grad(loss, tuple(range(first, len(given)))), given


def values(results: Any) -> list[bytes]:
    return [np.asarray(each.to_numpy()).tobytes() for each in (results[0], *results[1])]


def peaks(plan: Any) -> tuple[int, int]:
    memory = plan.memory()
    return memory["l1_per_core"]["bytes"], memory["dram_per_bank"]["bytes"]


def captured(plan: Any, given: list[Any], path: pathlib.Path) -> tuple[Any, Any]:
    with ttnn.graph.capture(path) as run:
        results = plan.replay(*given)
    return run, results


def test_a_budget_may_be_a_share_of_what_can_be_allocated(device: Any) -> None:
    step, given = step_of(device, next(iter(MODELS)))
    curve = tp.recompute_curve(step, *given)
    whole = curve.allocatable
    assert whole["l1_per_core"] > 10**6 and whole["dram_per_bank"] > 10**9
    assert curve.cheapest(l1="100%", dram="100%") == curve.cheapest(l1=whole["l1_per_core"], dram=whole["dram_per_bank"])
    assert curve.cost_at_least(l1="100%") == curve.cost_at_least(l1=whole["l1_per_core"])


@pytest.mark.parametrize("name", MODELS)
def test_a_step_that_keeps_nothing_gives_the_same_to_the_bit(device: Any, tmp_path: pathlib.Path, name: str) -> None:
    step, given = step_of(device, name)
    expected = values(step(*given))  # puts the tables of programs on the device
    plan = tp.plan(step, *given)
    kept, equations = plan.saved(), len(plan.graph.equations)
    less = tp.recompute(step, *given, drop=lambda each: True)
    assert kept != [] and less.saved() == []
    assert tp.parse(less.graph.text()) == less.graph
    again = [each for each in less.graph.equations if "recomputes" in each["attributes"]]
    assert len(less.graph.equations) - equations >= len(again) > 0
    for each in again:
        first = less.graph.equations[each["attributes"]["recomputes"]]
        assert first["operation"] == each["operation"] and first["attributes"].get("pass") == "forward"
        assert each["attributes"]["pass"] == "backward"
    # The plan is the run: calls, addresses, programs, and the peaks to the byte.
    less.save(tmp_path / "plan.json")
    planned = json.loads((tmp_path / "plan.json").read_text())["graph"]
    before = ttnn.get_memory_view(device, ttnn.BufferType.DRAM).total_bytes_allocated_per_bank
    run, results = captured(less, given, tmp_path / "run.json")
    assert values(results) == expected
    for part in (tree, buffers, programs):
        assert part(planned) == part(run.nodes) != []
    # A capture counts all that is on the device, also tables of programs that the step does not name.
    unnamed = before - sum(each["bytes_per_bank"] for each in less.memory()["buffers"]
                           if each["birth"] is None and each["memory"] == "DRAM")
    assert peaks(less) == (run.peak().l1.bytes, run.peak().dram.bytes - unnamed)


def test_only_what_is_asked_for_is_made_again(device: Any) -> None:
    step, given = step_of(device, "gpt2_block")
    asked: list[dict[str, Any]] = []

    def softmax(each: dict[str, Any]) -> bool:
        asked.append(each)
        return each["made_by"]["operation"] == "ttnn.softmax"

    less = tp.recompute(step, *given, drop=softmax)
    assert [each["bytes"] for each in asked] == [each["bytes"] for each in tp.saved(step, *given)]
    again = [each for each in less.graph.equations if "recomputes" in each["attributes"]]
    assert {each["operation"] for each in again} >= {"ttnn.softmax"}
    assert not any(each["made_by"]["operation"] == "ttnn.softmax" for each in less.saved())


def test_a_dropped_value_is_freed_and_its_room_used(device: Any) -> None:
    wide = ttnn.zeros([2048, 2048], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    def loss(x: Any) -> Any:
        for _ in range(6):
            x = ttnn.tanh(ttnn.multiply(x, 0.5))
        return ttnn.sum(x)

    step = tp.value_and_grad(loss)
    with_all = tp.plan(step, wide)
    kept = with_all.saved()
    half = sorted(each["made_by"]["equation"] for each in kept)[::2]
    less = tp.recompute(step, wide, drop=lambda each: each["made_by"]["equation"] in half)
    assert peaks(less)[1] <= peaks(with_all)[1] - 2 * kept[0]["bytes_per_bank"]
    assert [each.tobytes() for each in (with_all.replay(wide)[1].to_numpy(), less.replay(wide)[1].to_numpy())] == [
        less.replay(wide)[1].to_numpy().tobytes()] * 2


def test_what_can_not_run_again_is_refused(device: Any) -> None:
    x = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    def step(x: Any) -> Any:
        hidden: list[Any] = []

        def loss(x: Any) -> Any:
            hidden.append(ttnn.exp(x))
            return ttnn.sum(ttnn.multiply(hidden[0], hidden[0]))

        return *tp.value_and_grad(loss)(x), hidden[0]

    with pytest.raises(tp.TraceError, match=r"recompute: equation 0 \(ttnn\.exp at .*py:\d+\) can't run again") as raised:
        tp.recompute(step, x, drop=lambda each: True)
    assert raised.value.kind == "bad_argument" and "\n" not in str(raised.value)


# ---- by budget


def budgets_between(low: int, high: int, count: int) -> list[int]:
    return [low + (high - low) * i // (count - 1) for i in range(count)]


@pytest.mark.parametrize("memory", ["l1", "dram"])
@pytest.mark.parametrize("name", MODELS)
def test_peaks_keep_every_budget_and_more_room_never_costs_more(device: Any, name: str, memory: str) -> None:
    step, given = step_of(device, name)
    expected = values(step(*given))
    gc.collect()
    key, where = {"l1": ("l1_bytes_per_core", "l1_per_core"), "dram": ("dram_bytes_per_bank", "dram_per_bank")}[memory]
    curve = tp.recompute_curve(step, *given, plans=60)
    assert curve.planned == min(60, curve.proposed) and curve.points[0]["cost"] == 0
    found = [each[key] for each in curve.points]
    assert curve.none_below[where]["bytes"] < min(found)
    last: dict[str, Any] | None = None
    measured: set[int] = set()
    for budget in budgets_between(min(found), max(found), 20):
        point = curve.cheapest(**{memory: budget})
        assert point[key] <= budget
        if last is not None:
            assert point["cost"] <= last["cost"] and point[key] >= last[key]
        if point is not last and point["cost"] not in measured:
            function = curve.function(**{memory: budget})
            with ttnn.graph.capture() as run:
                results = function(*given)
            measured.add(point["cost"])
            assert getattr(run.peak(), memory).bytes <= point[key] <= budget
            assert values(results) == expected
            del function, results, run
            gc.collect()
        last = point
    assert last is not None and last["cost"] == 0
    assert min(each["cost"] for each in curve.points if each[key] == min(found)) in measured


def test_the_plan_of_a_budget_says_what_is_made_again(device: Any) -> None:
    step, given = step_of(device, "gpt2_block")
    curve = tp.recompute_curve(step, *given)
    middle = min(each["dram_bytes_per_bank"] for each in curve.points)
    point = curve.cheapest(dram=middle)
    del curve
    plan = tp.recompute(step, *given, dram=middle)
    assert peaks(plan)[1] <= point["dram_bytes_per_bank"] <= middle
    again = [each for each in plan.graph.equations if "recomputes" in each["attributes"]]
    assert len(again) == sum(each["times"] for each in point["recomputed"]) > 0
    assert sum(each["cost"] * each["times"] for each in point["recomputed"]) == point["cost"]
    assert all(".py:" in each["source"] and each["bytes"] > 0 for each in point["recomputed"])


def test_calls_come_after_what_they_are_given_and_do_not_read(device: Any) -> None:
    """neg_bw is given the operand of neg, which no program of it reads: the graph has it as an operand all the same."""
    weights, x, wanted = (training_models.tiles(device, seed, *shape) for seed, shape in enumerate([(48, 32), (64, 48), (64, 32)]))

    def loss(weights: Any, x: Any) -> Any:
        scores = ttnn.matmul(x, weights)
        scores = ttnn.subtract(scores, ttnn.max(scores, dim=-1, keepdim=True))
        shares = ttnn.subtract(scores, ttnn.log(ttnn.sum(ttnn.exp(scores), dim=-1, keepdim=True)))
        return ttnn.neg(ttnn.mean(ttnn.sum(ttnn.multiply(shares, wanted), dim=-1, keepdim=True)))

    step = tp.value_and_grad(loss, (0, 1))
    expected = values(step(weights, x))
    gc.collect()
    curve = tp.recompute_curve(step, weights, x)
    for budget in sorted({each["dram_bytes_per_bank"] for each in curve.points}):
        plan = tp.recompute(step, weights, x, dram=budget)
        results = plan.replay(weights, x)
        assert values(results) == expected and plan.peak().dram.bytes <= budget
        del plan, results


def test_budgets_that_nothing_keeps_are_refused_with_the_least(device: Any) -> None:
    step, given = step_of(device, "gpt2_block")
    curve = tp.recompute_curve(step, *given)
    least = min(each["dram_bytes_per_bank"] for each in curve.points)
    assert curve.cheapest(dram=least)["dram_bytes_per_bank"] == least
    bound = curve.none_below["dram_per_bank"]
    with pytest.raises(tp.TraceError) as raised:
        tp.recompute(step, *given, dram=least - 1)
    said = str(raised.value)
    assert f"keeps dram={least - 1} bytes per bank: the least found is {least} (" in said and "\n" not in said
    assert f"none is below {bound['bytes']}: " in said and f"of operands and results of {bound['operation']} at " in said
    with pytest.raises(tp.TraceError, match="keeps l1=1 bytes per core: the least found is"):
        curve.cheapest(l1=1)
    beside = ttnn.zeros([64, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)  # of no business of the step's, and in the peak of every schedule
    grown = tp.recompute_curve(step, *given)
    bytes_per_bank = min(each["dram_bytes_per_bank"] for each in grown.points) - least
    assert bytes_per_bank == grown.none_below["dram_per_bank"]["beside_bytes"] - bound["beside_bytes"] > 0
    assert bytes_per_bank == grown.none_below["dram_per_bank"]["bytes"] - bound["bytes"]
    with pytest.raises(tp.TraceError, match=f"and {bound['beside_bytes'] + bytes_per_bank} of other tensors on the device"):
        grown.cheapest(dram=least)
    del beside
    with pytest.raises(tp.TraceError, match="found drop beside a budget"):
        tp.recompute(step, *given, dram=least, drop=lambda each: True)


def test_few_calls_are_searched_over_all_orders(device: Any) -> None:
    x = training_steps.Tensors(device)(256, 512)

    def step(x: Any) -> Any:
        small = ttnn.sum(ttnn.exp(x))  # that this needs no room while the others are made, only another order shows
        wide = [ttnn.multiply(x, float(i)) for i in range(3)]
        return ttnn.add(ttnn.add(wide[0], wide[1]), wide[2]), ttnn.add(small, 1.0)

    expected = [each.to_numpy().tobytes() for each in step(x)]
    curve = tp.recompute_curve(step, x)
    assert all(each["is_least"] for each in curve.points if each["cost"] != 0)
    least = min(each["dram_bytes_per_bank"] for each in curve.points)
    point = curve.cheapest(dram=least)
    assert point["is_least"] and curve.cost_at_least(dram=least) == point["cost"]
    assert curve.cost_at_least(dram=least - 1) is None
    with pytest.raises(tp.TraceError, match=f"no order of the calls keeps dram={least - 1} bytes per bank: the least that one keeps is {least} "):
        curve.cheapest(dram=least - 1)
    results = curve.function(dram=least)(x)
    assert [each.to_numpy().tobytes() for each in results] == expected


def test_other_orders_respect_views_scopes_and_what_is_written_in_place(device: Any) -> None:
    tensors = training_steps.Tensors(device)

    def step(x: Any, state: Any) -> Any:
        before = ttnn.sum(ttnn.multiply(state, x))
        wide = [ttnn.exp(ttnn.multiply(x, float(i))) for i in range(3)]
        part = ttnn.reshape(wide[0], (1, 512, 256))[:, 64:128, :]
        ttnn.add_(state, wide[1])
        ttnn.multiply_(wide[2], state)
        after = ttnn.sum(ttnn.multiply(state, x))
        return before, after, ttnn.sum(part), ttnn.add(wide[0], wide[2])

    def given() -> list[Any]:
        tensors.random = np.random.default_rng(3)
        return [tensors(256, 512), tensors(256, 512)]

    def everything(function: Callable[..., Any]) -> list[bytes]:
        inputs = given()
        return [each.to_numpy().tobytes() for each in (*function(*inputs), *inputs)]

    expected = everything(step)
    inputs = given()
    curve = tp.recompute_curve(step, *inputs)
    assert len(curve.points) > 2
    for each in curve.points:
        budgets = {"l1": each["l1_bytes_per_core"], "dram": each["dram_bytes_per_bank"]}
        assert curve.cheapest(**budgets)["cost"] == each["cost"]
        function = curve.function(**budgets)
        assert everything(function) == expected


def test_a_step_that_does_not_fit_as_it_is_written_fits_when_it_computes_again(device: Any) -> None:
    def step(memory: Any) -> Callable[..., Any]:
        def loss(x: Any) -> Any:
            for _ in range(12):
                x = ttnn.tanh(ttnn.multiply(x, 0.5, memory_config=memory), memory_config=memory)
            return ttnn.sum(x)

        return tp.value_and_grad(loss)

    x = training_steps.Tensors(device)(2048, 1024)
    expected = step(ttnn.DRAM_MEMORY_CONFIG)(x)
    wide = training_steps.Tensors(device)(2048, 2048)
    in_l1 = step(ttnn.L1_MEMORY_CONFIG)
    with pytest.raises(RuntimeError):
        in_l1(wide)
    with pytest.raises(RuntimeError):
        tp.plan(in_l1, wide)
    plan = tp.recompute(in_l1, wide)
    assert any("recomputes" in each["attributes"] for each in plan.graph.equations)
    results = plan.replay(wide)
    in_dram = step(ttnn.DRAM_MEMORY_CONFIG)(wide)
    assert [each.to_numpy().tobytes() for each in results] == [each.to_numpy().tobytes() for each in in_dram]
    narrow = tp.recompute(in_l1, x)
    assert [each.to_numpy().tobytes() for each in narrow.replay(x)] == [each.to_numpy().tobytes() for each in expected]


def test_saved_rows_say_what_making_them_again_takes(device: Any) -> None:
    x = training_steps.Tensors(device)(256, 512)

    def loss(x: Any) -> Any:
        return ttnn.sum(ttnn.multiply(ttnn.gelu(ttnn.neg(ttnn.add(x, 1.0))), x))

    rows = {each["made_by"]["operation"]: each for each in tp.saved(tp.value_and_grad(loss), x)}
    one = 256 * 512 * 2
    # Each has one operand and one result. What gelu reads is kept for its own gradient, what neg reads is not.
    assert rows["ttnn.gelu"]["made_again"] == {"calls": 1, "bytes": one, "cost": 2 * one}
    assert rows["ttnn.neg"]["made_again"] == {"calls": 2, "bytes": 2 * one, "cost": 4 * one}


def test_a_step_whose_norm_finds_no_room_fits_when_it_computes_again(device: Any) -> None:
    model = training_models.minilm(layers=1)
    weights = model.weights(device)

    def step(weights: Any, *inputs: Any) -> Any:
        return tp.value_and_grad(lambda w: model.loss(w, inputs, ttnn.L1_MEMORY_CONFIG))(weights)

    up_to = tp.peak_at_sizes(step, lambda sentences: (weights, *model.inputs(device, sentences)), largest=32, name="sentences")
    too_many = up_to["next"]["size"]
    inputs = model.inputs(device, too_many)
    with pytest.raises(ttnn.ProgramMemoryExhaustedError, match="LayerNorm streaming circular buffers require") as raised:
        tp.plan(step, weights, *inputs)
    assert str(raised.value) == up_to["next"]["message"]
    curve = tp.recompute_curve(step, weights, *inputs, plans=20)
    point = curve.cheapest()
    assert point["recomputed"] or point["cost"] == 0
    assert tp.recompute(step, weights, *inputs, plans=20).peak().l1.bytes == point["l1_bytes_per_core"]
