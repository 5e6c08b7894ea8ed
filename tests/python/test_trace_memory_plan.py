# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The memory of training steps before they run: beside captures of their replays, and what it says that buffers are for."""

from __future__ import annotations

import gc
import json
import pathlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from saved_plans import expect_plan_is_replay

import tilemeter as ttnn
import tilemeter.trace as tp


@pytest.fixture(params=["n150", "p150"])
def board(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("TILEMETER_DEVICE", request.param)
    opened = ttnn.open_device(device_id=0)
    yield opened
    gc.collect()
    ttnn.close_device(opened)


def tiles(device: Any, seed: int, *shape: int) -> Any:
    values = np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)
    return ttnn.from_numpy(values, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


def classifier(memory: Any) -> Callable[..., Any]:
    """The loss of scripts/training_loop.py's classifier, its activations in this memory."""

    def loss(first: Any, bias: Any, second: Any, x: Any, target: Any) -> Any:
        hidden = ttnn.linear(x, first, bias=bias, memory_config=memory)
        scores = ttnn.matmul(ttnn.gelu(hidden, memory_config=memory), second, memory_config=memory)
        shares = ttnn.moreh_logsoftmax(scores, 1)
        return ttnn.moreh_mean(ttnn.neg(ttnn.multiply(shares, target)))

    return loss


def step_of(memory: Any, optimizer: str) -> Callable[..., Any]:
    loss = classifier(memory)

    def step(first: Any, bias: Any, second: Any, one: Any, two: Any, x: Any, target: Any) -> Any:
        value, (of_first, of_bias, of_second) = tp.value_and_grad(loss, (0, 1, 2))(first, bias, second, x, target)
        if optimizer == "adamw":
            first, one, two, _ = ttnn.moreh_adamw(first, of_first, one, two, step=1)
        else:
            first, one = ttnn.moreh_sgd(first, of_first, one, None, None, 0.1, 0.9, momentum_initialized=True)
            two = ttnn.add(ttnn.multiply(two, 0.9), of_first)
        ttnn.moreh_sgd(bias, of_bias, None, bias, None, 0.1, momentum_initialized=False)  # in place
        second = ttnn.subtract(second, ttnn.multiply(of_second, 0.1))
        return value, first, second, one, two

    return step


def arguments(device: Any) -> tuple[Any, ...]:
    return (tiles(device, 1, 96, 128), tiles(device, 2, 1, 128), tiles(device, 3, 128, 32), tiles(device, 4, 96, 128),
            tiles(device, 5, 96, 128), tiles(device, 6, 64, 96), tiles(device, 7, 64, 32))


@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
@pytest.mark.parametrize("memory", ["DRAM", "L1"])
def test_a_training_steps_plan_is_its_replay(board: Any, tmp_path: pathlib.Path, memory: str, optimizer: str) -> None:
    step = step_of(getattr(ttnn, f"{memory}_MEMORY_CONFIG"), optimizer)
    given = arguments(board)
    step(*given)  # puts the tables of programs on the device
    plan = tp.plan(step, *given)
    plan.save(tmp_path / "plan.json")
    with ttnn.graph.capture(tmp_path / "replay.json") as replayed:
        results = plan.replay(*given)
    planned = expect_plan_is_replay(tmp_path / "plan.json", tmp_path / "replay.json")
    assert len(results) == 5  # and alive when the capture ended
    saved, measured, said = ttnn.graph.find_peak(str(tmp_path / "plan.json")), replayed.peak(), plan.memory()
    for one, where in (("l1", "l1_per_core"), ("dram", "dram_per_bank")):
        peak = said[where]
        assert getattr(saved, one).bytes == getattr(measured, one).bytes == peak["bytes"] > 0
        assert sum(peak["by_role"].values()) + peak["program_bytes"] == peak["bytes"]
        assert sum(said["buffers"][each]["bytes_per_bank"] for each in peak["alive"]) + peak["program_bytes"] == peak["bytes"]
    made = [each for each in said["buffers"] if each["birth"] is not None]
    assert [(each["address"], each["bytes"]) for each in made] == [
        (int(node["params"]["address"]), int(node["params"]["size"]))
        for node in planned if node["node_type"] == "buffer_allocate"]


def test_what_the_function_does_not_use_counts_as_in_a_capture(device: Any, tmp_path: pathlib.Path) -> None:
    beside = [ttnn.to_memory_config(tiles(device, 1, 96, 64), ttnn.L1_MEMORY_CONFIG) for _ in range(3)]
    x = ttnn.to_memory_config(tiles(device, 2, 64, 64), ttnn.L1_MEMORY_CONFIG)
    plan = tp.plan(lambda x: ttnn.relu(ttnn.add(x, 1.0)), x)
    plan.save(tmp_path / "plan.json")
    with ttnn.graph.capture() as replayed:
        plan.replay(x)
    saved, measured = ttnn.graph.find_peak(str(tmp_path / "plan.json")), replayed.peak()
    assert saved.l1.bytes == measured.l1.bytes == plan.peak().l1.bytes == plan.memory()["l1_per_core"]["bytes"]
    assert "at least" not in str(saved) and "at least" not in str(plan.peak())
    before = saved.l1.bytes
    for each in beside:
        ttnn.deallocate(each)
    assert before - tp.plan(lambda x: ttnn.relu(ttnn.add(x, 1.0)), x).peak().l1.bytes == 3 * 2048


def roles(plan: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in plan.memory()["buffers"]:
        found.setdefault(each["role"], []).append(each["name"])
    return found


def test_buffers_have_the_roles_that_the_step_gives_them(device: Any) -> None:
    given = arguments(device)
    state = ["one", "two"]
    for optimizer in ("sgd", "adamw"):
        plan = tp.plan(step_of(ttnn.DRAM_MEMORY_CONFIG, optimizer), *given)
        memory, found = plan.memory(), roles(plan)
        # A replacement of an argument is made in the step and has no name.
        assert sorted(filter(None, found["parameter"])) == ["bias", "first", "second"] and found["parameter"].count(None) == 2
        assert list(filter(None, found["optimizer_state"])) == state
        assert found["optimizer_state"].count(None) == len(state)
        assert len(found["gradient"]) == 3 and len(found["result"]) == 1
        assert {"x", "target"} <= set(found["input"])
        assert "unknown" not in found
        passes = [each["pass"] for each in memory["equations"]]
        assert passes == sorted(passes, key=["forward", "backward", "optimizer"].index) and set(passes) == {
            "forward", "backward", "optimizer"}
        for each in memory["buffers"]:
            if each["role"] == "gradient":
                assert each["pass"] == "backward"
            if each["role"] == "saved":
                assert each["pass"] == "forward" and "backward" in {passes[i] for i in each["readers"]}


def test_what_can_not_be_told_is_unknown(device: Any) -> None:
    def step(w: Any, a: Any, b: Any) -> Any:
        loss, gradient = tp.value_and_grad(lambda w: ttnn.sum(ttnn.multiply(w, w)))(w)
        mixed = ttnn.add(ttnn.add(a, b), gradient)  # may replace a, or b
        return loss, ttnn.subtract(w, gradient), mixed

    plan = tp.plan(step, *(tiles(device, i, 64, 64) for i in range(3)))
    unknown = [each for each in plan.memory()["buffers"] if each["role"] == "unknown"]
    assert len(unknown) == 1 and unknown[0]["pass"] == "optimizer" and "can't be told" in unknown[0]["reason"]
    forward = tp.plan(lambda x: ttnn.relu(ttnn.add(x, 1.0)), tiles(device, 1, 32, 32))
    assert set(roles(forward)) == {"input", "temporary", "result"} and forward.saved() == []


def test_what_the_way_back_keeps_is_named_with_who_needs_it(device: Any) -> None:
    x, w = tiles(device, 1, 256, 64), tiles(device, 2, 64, 512)

    def loss(w: Any, x: Any) -> Any:
        wide = ttnn.matmul(x, w)
        narrow = ttnn.tanh(ttnn.sum(wide, -1, keepdim=True))
        return ttnn.sum(ttnn.multiply(ttnn.gelu(wide), narrow))

    first = loss.__code__.co_firstlineno
    found = tp.saved(tp.value_and_grad(loss), w, x)
    assert [each["byte_equations"] for each in found] == sorted((each["byte_equations"] for each in found), reverse=True)
    with tp.record(w) as record:
        loss(w, x)
        assert sum(each["bytes"] for each in found) + x.buffer_num_pages() * 2048 == record.kept_bytes
    wide = found[0]
    assert wide["bytes"] == 256 * 512 * 2 and wide["made_by"]["operation"] == "ttnn.matmul"
    assert wide["made_by"]["source"].endswith(f"test_trace_memory_plan.py:{first + 1}")
    assert "ttnn.gelu_bw" in {each["operation"] for each in wide["needed_by"]}
    for each in found:
        assert each["byte_equations"] == each["bytes"] * each["held_equations"]
        assert each["held_equations"] == each["needed_by"][-1]["equation"] - each["made_by"]["equation"] + 1


def data_of(page: str) -> Any:
    return json.loads(page.split('id="data">', 1)[1].split("</script>", 1)[0])


def test_the_page_is_that_of_the_plans_report_with_all_of_it(device: Any, tmp_path: pathlib.Path) -> None:
    step = step_of(ttnn.L1_MEMORY_CONFIG, "adamw")
    plan = tp.plan(step, *arguments(device))
    page = plan.memory_html(tmp_path / "memory.html")
    assert (tmp_path / "memory.html").read_text() == page
    data, memory = data_of(page), plan.memory()
    assert data["training"] == {name: value for name, value in memory.items() if name != "programs"}
    # The peak that it names is where the chart has it.
    device_memory, peak = data["devices"][0], memory["l1_per_core"]
    assert device_memory["l1"]["peak_bytes"] == peak["bytes"] and f'data-equation="{peak["equation"]}"' in page
    first = [each["node"] for each in memory["equations"]]
    assert first == sorted(first) and first[peak["equation"]] <= device_memory["l1"]["peak_node"]
    assert peak["equation"] + 1 == len(first) or device_memory["l1"]["peak_node"] < first[peak["equation"] + 1]
    assert "http:" not in page and "https:" not in page and " src=" not in page
    sizes = tp.peak_at_sizes(step, lambda rows: (*arguments(device)[:5], tiles(device, 6, rows, 96), tiles(device, 7, rows, 32)), 32, 64)
    curve = tp.recompute_curve(step, *arguments(device))
    training = data_of(plan.memory_html(sizes=sizes, recompute=curve))["training"]
    assert training["sizes"] == sizes.data and training["recompute"] == curve.data


def test_the_nodes_of_equations_are_their_calls_in_the_plans_report(device: Any, tmp_path: pathlib.Path) -> None:
    plan = tp.plan(step_of(ttnn.DRAM_MEMORY_CONFIG, "sgd"), *arguments(device))
    plan.save(tmp_path / "plan.json")
    nodes = json.loads((tmp_path / "plan.json").read_text())["graph"]
    for each in plan.memory()["equations"]:
        node = nodes[each["node"]]
        assert node["node_type"] == "function_start"
        assert node["params"]["name"].replace("::", ".").split(".")[-1] == each["operation"].split(".")[-1], each


# ---- peaks at sizes




def test_peaks_at_sizes_are_those_of_captures_with_gradients(device: Any) -> None:
    w = tiles(device, 1, 64, 128)
    step = tp.value_and_grad(lambda w, x: ttnn.sum(ttnn.gelu(ttnn.matmul(x, w))))

    def inputs(rows: int) -> tuple[Any, Any]:
        return w, ttnn.zeros([rows, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    found = tp.peak_at_sizes(step, inputs, 1, 130, seconds=60, name="rows")
    assert found["schema"] == "tilemeter.sizes/1" and found["device"] == "n150" and found["all_fit"] is True
    assert [each["size"] for each in found["computed"]] == list(range(1, 131))
    by_size = {each["size"]: each for each in found["computed"]}
    jumps = [each["size"] for each in found["dram_jumps"]]
    assert 97 in jumps  # a tile row more than a bank has room for so far
    for rows in sorted({1, 2, 31, 32, 33, 63, 64, 65, 96, 128, 129, 130, *jumps, *(each - 1 for each in jumps)}):
        with ttnn.graph.capture() as run:
            step(*inputs(rows))
        gc.collect()
        assert (by_size[rows]["l1_bytes_per_core"], by_size[rows]["dram_bytes_per_bank"]) == (
            run.peak().l1.bytes, run.peak().dram.bytes), rows
    assert all(by_size[each]["dram_bytes_per_bank"] != by_size[each - 1]["dram_bytes_per_bank"] for each in jumps)
    assert "largest rows that fits: 130" in str(found)


def test_the_largest_size_runs_and_the_next_one_fails_as_foretold(device: Any) -> None:
    def step(x: Any) -> Any:
        return tp.grad(lambda x: ttnn.sum(ttnn.gelu(ttnn.multiply(x, 2.0, memory_config=ttnn.L1_MEMORY_CONFIG),
                                                    memory_config=ttnn.L1_MEMORY_CONFIG)))(x)

    def inputs(tile_rows: int) -> Any:
        return ttnn.zeros([32 * tile_rows, 4096], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                          memory_config=ttnn.L1_MEMORY_CONFIG)

    found = tp.peak_at_sizes(step, inputs, 1, 256, seconds=0)
    largest, following = found["largest_fitting"]["size"], found["next"]
    assert following["size"] == largest + 1 <= 256 and following["verdict"] == "does_not_fit"
    step(inputs(largest))
    gc.collect()
    with pytest.raises(RuntimeError) as raised:
        step(inputs(largest + 1))
    # But for the program's number, which counts those that the process has made.
    met, foretold = (re.sub(r"program \d+", "program", text.splitlines()[0]) for text in (str(raised.value), following["message"]))
    assert met == foretold


def test_sizes_that_can_not_be_asked_for_are_refused(device: Any) -> None:
    with pytest.raises(ValueError, match="smallest 3, largest 2"):
        tp.peak_at_sizes(ttnn.relu, lambda n: tiles(device, 1, 32, 32), 3, 2)
    with pytest.raises(tp.TraceError, match="found no tensor on a device among the inputs at size 1"):
        tp.peak_at_sizes(abs, lambda n: n, 1, 2)
    with pytest.raises(ZeroDivisionError):
        tp.peak_at_sizes(ttnn.relu, lambda n: 1 // 0, 1, 2)
