# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors and tokens that go between chips: plans as TT-NN 0.81.1 recorded them, and values against plain loops.

data/mesh/exchange.json: what exchange_calls.py recorded.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any, Iterator

import collective_calls
import exchange_calls
import numpy
import pytest

import tilemeter as ttnn

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = json.loads((ROOT / "tests" / "data" / "mesh" / "exchange.json").read_text())
N300 = ROOT / "runtime" / "device" / "descriptions" / "n300.json"
CHIPS = 2


@pytest.fixture
def mesh(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Iterator[Any]:
    """An n300 whose Ethernet cores dispatch, as the one that was recorded: all rows of its grid are there to compute."""
    described = json.loads(N300.read_text())
    (tmp_path / "n300.json").write_text(json.dumps({**described, "compute_grid": described["logical_grid"]}))
    monkeypatch.setenv("TILEMETER_DEVICE", str(tmp_path / "n300.json"))
    opened, _ = collective_calls.open_mesh(ttnn)
    yield opened
    ttnn.close_mesh_device(opened)


def without_second_output(recorded: list[Any], row: dict[str, Any]) -> list[Any]:
    """What a tensor that is given for the result makes TT-NN do beside it: it makes another one and frees it at once."""
    if row["operation"] != "all_to_all_combine":
        return recorded
    first = recorded.index("create_device_tensor")
    return recorded[:first] + recorded[first + 4 :]


def larger_program(recorded: list[Any], row: dict[str, Any]) -> list[Any]:
    """Of sender and receiver the one that takes more, in both their places, as the model has it."""
    if row["operation"] != "point_to_point":
        return recorded
    first = next(i for i, each in enumerate(recorded) if each[0] == "circular")
    programs = [recorded[first : first + 3], recorded[first + 3 : first + 6]]
    larger = max(programs, key=lambda program: sum(each[1] for each in program))
    return recorded[:first] + larger + larger + recorded[first + 6 :]


def test_plans_are_as_recorded(mesh: Any) -> None:
    for row in ROWS:
        facts = {key: row[key] for key in row if key not in ("recorded", "results")}
        call = exchange_calls.call(ttnn, mesh, row)
        if row["recorded"] is None:
            with pytest.raises(RuntimeError):
                call()
            continue  # as where it was recorded, the next row's inputs are made before these are gone
        ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
        result = call()
        nodes = ttnn.graph.end_graph_capture()
        expected = larger_program(without_second_output(row["recorded"], row), row)
        assert collective_calls.recorded(nodes) == expected, facts
        assert exchange_calls.results_of(result) == row["results"], facts
        del call, result
        mesh.clear_program_cache()


def on_chips(mesh: Any, array: Any, dtype: Any) -> Any:
    """An array for each chip, along the first dimension."""
    return ttnn.from_numpy(
        array, dtype=dtype, layout=ttnn.ROW_MAJOR_LAYOUT, device=mesh, mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0)
    )


def parts_of(tensor: Any) -> list[Any]:
    return [ttnn.to_numpy(part) for part in ttnn.get_device_tensors(tensor)]


def test_whole_tensors_arrive(mesh: Any) -> None:
    array = numpy.random.default_rng(0).integers(-8, 8, (2, 1, 4, 16)).astype(numpy.float32)
    x = on_chips(mesh, array, ttnn.float32)
    for part in parts_of(ttnn.broadcast(x, ttnn.MeshCoordinate(0, 1))):
        assert numpy.array_equal(part, array[1:])
    for place, tensor in enumerate(ttnn.all_broadcast(x)):
        for part in parts_of(tensor):
            assert numpy.array_equal(part, array[place : place + 1])
    moved = parts_of(ttnn.point_to_point(x, ttnn.MeshCoordinate(0, 0), ttnn.MeshCoordinate(0, 1)))
    assert numpy.array_equal(moved[1], array[:1]) and not moved[0].any()
    kept = on_chips(mesh, array + 100, ttnn.float32)
    moved = parts_of(ttnn.point_to_point(x, ttnn.MeshCoordinate(0, 1), ttnn.MeshCoordinate(0, 0), output_tensor=kept))
    assert numpy.array_equal(moved[0], array[1:]) and numpy.array_equal(moved[1], array[1:] + 100)
    for dim in (-1, 2):
        for chip, part in enumerate(parts_of(ttnn.mesh_partition(x, dim))):
            assert numpy.array_equal(part, numpy.split(array[chip : chip + 1], CHIPS, dim)[chip])


def test_tokens_reach_their_experts_and_come_back(mesh: Any) -> None:
    of = numpy.random.default_rng(1)
    users, tokens, width, experts, selected = 3, 4, 16, 8, 2
    x = of.integers(-8, 8, (CHIPS * users, 1, tokens, width)).astype(numpy.float32)
    chosen = numpy.stack([of.permutation(experts)[:selected] for _ in range(CHIPS * users * tokens)])
    chosen = chosen.reshape(CHIPS * users, 1, tokens, selected).astype(numpy.uint16)
    owner = of.permutation(numpy.repeat(numpy.arange(CHIPS), experts // CHIPS))
    mapping = (owner[:, None] == numpy.arange(CHIPS)).astype(numpy.uint16)[None, None]
    mappings = on_chips(mesh, numpy.concatenate([mapping] * CHIPS), ttnn.uint16)

    sent, metadata = ttnn.all_to_all_dispatch(
        on_chips(mesh, x, ttnn.bfloat16), on_chips(mesh, chosen, ttnn.uint16), mappings, cluster_axis=1
    )
    rows, lists = x.reshape(-1, width), chosen.reshape(-1, selected)
    for chip, (part, seen) in enumerate(zip(parts_of(sent), parts_of(metadata))):
        assert numpy.array_equal(seen.reshape(-1, selected), lists)
        for row, experts_of_row, got in zip(rows, lists, part.reshape(-1, width)):
            wanted = any(owner[each] == chip for each in experts_of_row)
            assert numpy.array_equal(got, row if wanted else numpy.zeros(width))

    made = of.integers(-8, 8, (CHIPS * experts // CHIPS, CHIPS * users, tokens, width)).astype(numpy.float32)
    back = ttnn.all_to_all_combine(on_chips(mesh, made, ttnn.bfloat16), metadata, mappings, cluster_axis=1)
    by_chip = made.reshape(CHIPS, experts // CHIPS, -1, width)
    for chip, part in enumerate(parts_of(back)):
        for k in range(selected):
            for i, got in enumerate(part[k].reshape(-1, width)):
                token = chip * users * tokens + i
                expert = lists[token][k]
                place = list(numpy.flatnonzero(owner == owner[expert])).index(expert)
                assert numpy.array_equal(got, by_chip[owner[expert], place, token])

    scores = of.integers(1, 9, (CHIPS, CHIPS * users, tokens, experts)).astype(numpy.float32)
    local, reduced = ttnn.moe_expert_token_remap(on_chips(mesh, scores, ttnn.bfloat16), mappings, metadata, reduction_size=tokens)
    for chip, (part, groups) in enumerate(zip(parts_of(local), parts_of(reduced))):
        own = numpy.flatnonzero(owner == chip)
        expected = numpy.where((lists[:, None] == own[None, :, None]).any(2), scores[chip].reshape(-1, experts)[:, own], 0)
        assert numpy.array_equal(part.reshape(-1, len(own)), expected)
        assert numpy.array_equal(groups.reshape(-1, len(own)), (expected.reshape(-1, tokens, len(own)) != 0).any(1))


def test_weights_are_shared_out_in_order(mesh: Any) -> None:
    weights = numpy.zeros((CHIPS, 16), numpy.float32)
    weights[:, [2, 4, 10, 13]] = [1, 2, 3, 4]
    first, second = parts_of(ttnn.moe_routing_remap(on_chips(mesh, weights, ttnn.float32), 4, 2, 1))
    assert list(numpy.flatnonzero(first)) == [2, 4] and list(numpy.flatnonzero(second)) == [10, 13]


def test_says_what_is_not_modelled_or_wrong(mesh: Any) -> None:
    x = ttnn.zeros([1, 1, 32, 64], layout=ttnn.TILE_LAYOUT, device=mesh)
    here, there = ttnn.MeshCoordinate(0, 0), ttnn.MeshCoordinate(0, 1)
    with pytest.raises(RuntimeError, match="expected another chip than the sender"):
        ttnn.point_to_point(x, here, here)
    with pytest.raises(RuntimeError, match="Mesh device must contain receiver coordinate device"):
        ttnn.point_to_point(x, there, ttnn.MeshCoordinate(1, 0))
    with pytest.raises(RuntimeError, match="must be divisible by cluster axis size 2"):
        ttnn.mesh_partition(x, 0)
    with pytest.raises(RuntimeError, match="expected parts of whole tiles"):
        ttnn.mesh_partition(x, 2)
    with pytest.raises(RuntimeError, match="all_broadcast: num_links: expected 1"):
        ttnn.all_broadcast(x, num_links=2)
    with pytest.raises(RuntimeError, match="moe_gpt: its program is not modelled"):
        ttnn.experimental.moe_gpt(x, expert_indices=x, expert_scores=x, expert_mapping=x, w0_w1_tensor=x, w2_tensor=x)
