# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random calls of what moves tensors and tokens between the two chips of an n300, and what is recorded of each.

    PYTHONPATH=build/tools/python TTNN_VENV/bin/python tests/python/exchange_calls.py OUT COUNT SEED

records them under TT-NN 0.81.1, attached so that programs are seen, into a file of JSON; null where TT-NN refuses. A mock
device with a fabric plans no program that goes over all cores of its grid: mesh_partition tells its result alone there, and
all_to_all_combine, which fills its result first, is given one.
"""

from __future__ import annotations

import json
import pathlib
import random
import sys
import tempfile
from typing import Any, Callable

import collective_calls

OPERATIONS = (
    "all_broadcast", "all_to_all_combine", "all_to_all_dispatch", "broadcast", "mesh_partition", "moe_expert_token_remap",
    "moe_routing_remap", "point_to_point",
)  # fmt: skip


def draw(count: int, seed: int) -> list[dict[str, Any]]:
    """Rows: an operation, its tensors (shape, dtype, layout, memory), and its other arguments."""
    of = random.Random(seed)
    return [_ROWS[each](of) for _ in range(count) for each in OPERATIONS]


def _row(operation: str, tensors: list[Any], **arguments: Any) -> dict[str, Any]:
    return {"operation": operation, "tensors": tensors, "arguments": arguments}


def _whole(of: random.Random) -> list[Any]:
    """A tensor that goes from chip to chip as it is."""
    if of.random() < 0.5:
        shape = [1, of.choice([1, 2]), 32 * of.choice([1, 2, 8]), 32 * of.choice([1, 4, 16])]
        return [shape, of.choice(["bfloat16", "bfloat16", "float32", "bfloat8_b"]), "TILE", of.choice(["DRAM", "L1"])]
    shape = [of.choice([1, 3, 9]), of.choice([8, 16, 64, 4096, 2176, 7])]
    return [shape, of.choice(["bfloat16", "float32", "int32"]), "ROW_MAJOR", of.choice(["DRAM", "L1"])]


def _places(of: random.Random) -> list[list[int]]:
    return of.choice([[[0, 0], [0, 1]], [[0, 1], [0, 0]], [[0, 0], [0, 2]]])


def _tokens(of: random.Random) -> tuple[int, int, int, int, str]:
    return of.choice([1, 2, 4, 16]), of.choice([1, 4, 7, 32]), of.choice([64, 100, 512]), of.choice([1, 3, 8]), of.choice(["DRAM", "L1"])


def _dispatch(of: random.Random) -> dict[str, Any]:
    users, tokens, width, selected, memory = _tokens(of)
    experts = of.choice([8, 16, 64])
    tensors: list[Any] = [
        [[users, 1, tokens, width], "bfloat16", "ROW_MAJOR", memory], [[users, 1, tokens, selected], "uint16", "ROW_MAJOR", memory],
        [[1, 1, experts, 2], "uint16", "ROW_MAJOR", memory],
    ]  # fmt: skip
    more: dict[str, Any] = {"num_links": 1, "output_concat_dim": of.choice([1, 2, 3]), "memory_config": of.choice(["DRAM", "L1"])}
    return _row("all_to_all_dispatch", tensors, cluster_axis=1, **{name: more[name] for name in more if of.random() < 0.4})


def _combine(of: random.Random) -> dict[str, Any]:
    users, tokens, width, selected, memory = _tokens(of)
    experts, reduced, dim = of.choice([8, 16, 64]), of.random() < 0.4, of.choice([1, 1, 2])
    users, tokens = (2 * users, tokens) if dim == 1 else (users, 2 * tokens)
    result = [selected, users // 2, tokens, width] if dim == 1 else [selected, users, tokens // 2, width]
    tensors: list[Any] = [
        [[1 if reduced else experts // 2, users, tokens, width], "bfloat16", "ROW_MAJOR", memory],
        [[1, users, tokens, selected], "uint16", "ROW_MAJOR", memory], [[1, 1, experts, 2], "uint16", "ROW_MAJOR", memory],
        [result, "bfloat16", "ROW_MAJOR", memory],
    ]  # fmt: skip
    return _row("all_to_all_combine", tensors, cluster_axis=1, local_reduce=reduced, output_shard_dim=dim)


def _remap(of: random.Random) -> dict[str, Any]:
    users, tokens, _, selected, memory = _tokens(of)
    experts = of.choice([8, 16, 74])
    tensors: list[Any] = [
        [[1, users, tokens, experts], of.choice(["bfloat16", "float32"]), "ROW_MAJOR", memory],
        [[1, 1, experts, 2], "uint16", "ROW_MAJOR", memory], [[1, users, tokens, selected], "uint16", "ROW_MAJOR", memory],
    ]  # fmt: skip
    return _row("moe_expert_token_remap", tensors, reduction_size=of.choice([1, users, users * tokens]))


def _partition(of: random.Random) -> dict[str, Any]:
    shape = of.choice([[2, 1, 64, 64], [1, 2, 64, 96], [1, 1, 64, 192], [1, 2, 32, 128]])
    tensor = [shape, of.choice(["bfloat16", "float32", "bfloat8_b"]), "TILE", of.choice(["DRAM", "L1"])]
    return _row("mesh_partition", [tensor], dim=of.randrange(-4, 4), cluster_axis=of.choice([1, None]))


_ROWS: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "all_broadcast": lambda of: _row("all_broadcast", [_whole(of)], cluster_axis=of.choice([1, None])),
    "broadcast": lambda of: _row("broadcast", [_whole(of)], sender_coord=of.choice([[0, 0], [0, 1]]), cluster_axis=of.choice([1, None])),
    "point_to_point": lambda of: _row("point_to_point", [_whole(of)], places=_places(of)),
    "moe_routing_remap": lambda of: _row(
        "moe_routing_remap", [[[1, of.choice([8, 32, 74])], of.choice(["bfloat16", "float32"]), "ROW_MAJOR", of.choice(["DRAM", "L1"])]],
        numbers=[of.choice([2, 8]), 2, 1]),
    "all_to_all_dispatch": _dispatch, "all_to_all_combine": _combine, "moe_expert_token_remap": _remap, "mesh_partition": _partition,
}  # fmt: skip


def call(ttnn: Any, mesh: Any, row: dict[str, Any]) -> Callable[[], Any]:
    """A function that makes the row's call; its tensors are there."""
    memories = {"DRAM": ttnn.DRAM_MEMORY_CONFIG, "L1": ttnn.L1_MEMORY_CONFIG}
    tensors = [
        ttnn.allocate_tensor_on_device(
            ttnn.Shape(shape), getattr(ttnn, dtype), getattr(ttnn, layout + "_LAYOUT"), mesh, memories[memory])
        for shape, dtype, layout, memory in row["tensors"]
    ]  # fmt: skip
    named = dict(row["arguments"])
    if "memory_config" in named:
        named["memory_config"] = memories[named["memory_config"]]
    positional = [ttnn.MeshCoordinate(*each) for each in named.pop("places", [])] + named.pop("numbers", [])
    if "sender_coord" in named:
        positional.append(ttnn.MeshCoordinate(*named.pop("sender_coord")))
    if row["operation"] == "all_to_all_combine":
        named["output_tensor"] = tensors.pop()
    function = getattr(ttnn, row["operation"])
    return lambda: function(*tensors, *positional, **named)


def results_of(result: Any) -> list[Any]:
    """Shape, dtype and layout of each result."""
    tensors = result if isinstance(result, (list, tuple)) else [result]
    return [[list(each.shape), each.dtype.name.lower(), each.layout.name] for each in tensors]


def main() -> None:
    import ttnn

    import tilemeter_attach

    out, count, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    mesh, semaphores = collective_calls.open_mesh(ttnn)
    rows = draw(count, seed)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        for row in rows:
            row["recorded"] = row["results"] = None
            try:
                made = call(ttnn, mesh, row)
                with tilemeter_attach.capture(str(report)):
                    result = made()
            except RuntimeError:
                continue
            row["recorded"] = collective_calls.recorded(json.loads(report.read_text())["graph"])
            row["results"] = results_of(result)
            del made, result
            mesh.clear_program_cache()
    del semaphores
    out.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
