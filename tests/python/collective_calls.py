# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random calls of collectives whose semaphores are given, on the two chips of an n300, and what is recorded of each.

    PYTHONPATH=build/tools/python TTNN_VENV/bin/python tests/python/collective_calls.py OUT COUNT SEED

records them under TT-NN 0.81.1, attached so that programs are seen, into a file of JSON; null where TT-NN refuses.
"""

from __future__ import annotations

import json
import pathlib
import random
import sys
import tempfile
from typing import Any, Callable

OPERATIONS = ("all_gather_async", "all_gather_async_reversed", "reduce_scatter_minimal_async", "all_reduce_async")


def draw(count: int, seed: int) -> list[dict[str, Any]]:
    """Rows: an operation, its tensor, and the arguments that are given by name."""
    of = random.Random(seed)
    rows = []
    for _ in range(count):
        rank = of.choice([4, 4, 3, 2])
        shape = [of.choice([1, 1, 2, 4]), of.choice([1, 1, 2, 8]), of.choice([32, 64, 256, 1024]), of.choice([32, 64, 128, 512, 2048])]
        shape = shape[4 - rank :]
        dim = of.randrange(rank)
        shape[dim] = max(shape[dim], 64 if dim >= rank - 2 else 2)
        row: dict[str, Any] = {
            "operation": of.choice(OPERATIONS), "form": of.choice(["short", "into", "along"]), "shape": shape,
            "dim": dim - of.choice([0, 0, rank]), "dtype": of.choice(["bfloat16", "bfloat16", "float32", "bfloat8_b"]),
            "memory": of.choice(["DRAM", "DRAM", "L1"]),
        }  # fmt: skip
        choices: dict[str, list[Any]] = {
            "num_links": [1, 2], "num_workers_per_link": [1, 2, 3, 4], "num_buffers_per_channel": [1, 8],
            "memory_config": ["DRAM", "L1"], "chunks_per_sync": [1, 24],
        }  # fmt: skip
        row["arguments"] = {name: of.choice(values) for name, values in choices.items() if of.random() < 0.3}
        row["keeps_result"] = of.random() < 0.2
        # Without semaphores it is all_reduce, whose semaphores a mock device with a fabric puts on cores that it has not.
        if row["operation"] == "all_reduce_async" and row["form"] == "into":
            row["form"] = "along"
        rows.append(row)
    return rows


def _memory(ttnn: Any, name: str) -> Any:
    return ttnn.DRAM_MEMORY_CONFIG if name == "DRAM" else ttnn.L1_MEMORY_CONFIG


def call(ttnn: Any, mesh: Any, semaphores: list[Any], row: dict[str, Any]) -> Callable[[], Any]:
    """A function that makes the row's call; its tensors are there."""

    def tensor(shape: list[int], memory: Any) -> Any:
        return ttnn.zeros(shape, dtype=getattr(ttnn, row["dtype"]), layout=ttnn.TILE_LAYOUT, device=mesh, memory_config=memory)

    operation, form, dim, shape = row["operation"], row["form"], row["dim"], row["shape"]
    function = getattr(ttnn.experimental, operation)
    x = tensor(shape, _memory(ttnn, row["memory"]))
    named = dict(row["arguments"])
    if "memory_config" in named:
        named["memory_config"] = _memory(ttnn, named["memory_config"])
    result_memory = named.get("memory_config", _memory(ttnn, row["memory"]))
    size = dim % len(shape)
    if operation == "all_reduce_async":
        for name in ("num_workers_per_link", "num_buffers_per_channel", "chunks_per_sync"):
            named.pop(name, None)
        if form == "short":
            return lambda: function(
                x, num_devices=2, barrier_semaphores=semaphores[:2], rs_global_semaphores=semaphores[:3],
                ag_global_semaphores=semaphores[:2], math_op=ttnn.ReduceType.Sum, **named,
            )  # fmt: skip
        return lambda: function(x, 1, mesh, semaphores[:2], semaphores[:3], semaphores[:2], ttnn.ReduceType.Sum, **named)
    if operation == "reduce_scatter_minimal_async":
        kept = None
        if row["keeps_result"]:
            part = [length // 2 if at == size else length for at, length in enumerate(shape)]
            halfway = [1] * (3 - len(shape)) + shape
            halfway[0] *= 2
            kept = [tensor(halfway, _memory(ttnn, row["memory"])), tensor(part, result_memory)]
        return lambda: function(
            x, persistent_output_buffers=kept, dim=dim, multi_device_global_semaphore=semaphores[:3], cluster_axis=1, **named
        )
    whole = [2 * length if at == size else length for at, length in enumerate(shape)]
    result = tensor(whole, result_memory) if row["keeps_result"] and form != "short" else None
    if form != "into":
        named.pop("chunks_per_sync", None)
    if form == "short":
        return lambda: function(x, dim, semaphores[:2], **named)
    if form == "into":
        return lambda: function(
            x, persistent_output_buffer=result, dim=dim, multi_device_global_semaphore=semaphores[:2], cluster_axis=1, **named
        )
    return lambda: function(
        x, dim, 1, mesh, ttnn.Topology.Linear, semaphores[:2], persistent_output_tensor=result, **named
    )


def recorded(nodes: list[dict[str, Any]]) -> list[Any]:
    """Functions, buffers in DRAM with their addresses, others without (a mock device with a fabric spreads them over cores that
    it has not), and program memory with size, cores and address, in their order."""
    found: list[Any] = []
    for node in nodes:
        kind, facts = node["node_type"], node["params"] or {}
        if kind == "function_start":
            found.append(facts["name"].replace("::", ".").split(".")[-1])
        elif kind == "circular_buffer_allocate":
            found.append(["circular", int(facts["size"]), facts["core_range_set"], int(facts["address"])])
        elif kind in ("buffer_allocate", "buffer_deallocate"):
            found.append([kind[7:], int(facts["size"]), facts["type"], int(facts["address"]) if facts["type"] == "DRAM" else None])
    return found


def open_mesh(ttnn: Any) -> tuple[Any, list[Any]]:
    """The mesh of an n300, and semaphores on all its cores."""
    ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D)
    mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
    grid = mesh.compute_with_storage_grid_size()
    cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(grid.x - 1, grid.y - 1))})
    return mesh, [ttnn.create_global_semaphore(mesh, cores, 0) for _ in range(3)]


def main() -> None:
    import ttnn

    import tilemeter_attach

    out, count, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    mesh, semaphores = open_mesh(ttnn)
    rows = draw(count, seed)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        for row in rows:
            made = call(ttnn, mesh, semaphores, row)
            result = None
            try:
                with tilemeter_attach.capture(str(report)):
                    result = made()
            except (RuntimeError, IndexError):
                row["recorded"] = None
                continue
            row["recorded"] = recorded(json.loads(report.read_text())["graph"])
            if not row["keeps_result"]:
                ttnn.deallocate(result)
            del made, result
    out.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
