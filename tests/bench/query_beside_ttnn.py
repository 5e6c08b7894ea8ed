# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What a compiler's stateless query costs from Python, beside the same query of the real TT-NN on a mock device.

    query_beside_ttnn.py ROWS.jsonl OUT.json            in TT-NN's environment, or with `--module tilemeter` in ours
    query_beside_ttnn.py --compare TTNN.json OURS.json  the median over all operations of how many times ours is cheaper

Rows are recorded queries (shared data). TT-NN's query is put together from captures, as its header has it: inputs in an outer
NO_DISPATCH capture, the call in an inner one, the figures of the outer list. Of each row the median of five queries counts.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pathlib
import statistics
import sys
import time
from typing import Any, Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "data" / "oracle"))
REPEATS = 5


def memory_config(ttnn: Any, text: dict[str, Any]) -> Any:
    layout, kind = getattr(ttnn.TensorMemoryLayout, text["memory_layout"]), getattr(ttnn.BufferType, text["buffer_type"])
    if "shard_shape" not in text:
        return ttnn.MemoryConfig(layout, kind)
    cores = ttnn.CoreRangeSet(
        {ttnn.CoreRange(ttnn.CoreCoord(a, b), ttnn.CoreCoord(c, d)) for a, b, c, d in text["shard_grid"]}
    )
    orientation = getattr(ttnn.ShardOrientation, text.get("orientation", "ROW_MAJOR"))
    return ttnn.MemoryConfig(layout, kind, ttnn.ShardSpec(cores, text["shard_shape"], orientation))


def spec_of(ttnn: Any, text: dict[str, Any]) -> Any:
    layout = {"TILE": ttnn.TILE_LAYOUT, "ROW_MAJOR": ttnn.ROW_MAJOR_LAYOUT}[text["layout"]]
    config, kind = memory_config(ttnn, text["memory_config"]), getattr(ttnn, text["dtype"])
    if config.shard_spec is None:
        return ttnn.TensorSpec(text["shape"], kind, layout, config.buffer_type)
    return ttnn.TensorSpec(text["shape"], kind, layout, config.memory_layout, config.shard_spec, config.buffer_type)


def ask_ttnn(ttnn: Any, device: Any, call: Callable[..., Any], row: dict[str, Any]) -> Callable[[], Any]:
    layouts = {"TILE": ttnn.TILE_LAYOUT, "ROW_MAJOR": ttnn.ROW_MAJOR_LAYOUT}
    graph = ttnn.graph

    def ask() -> None:
        graph.begin_graph_capture(graph.RunMode.NO_DISPATCH)
        inputs = [
            ttnn.allocate_tensor_on_device(
                ttnn.Shape(each["shape"]), getattr(ttnn, each["dtype"]), layouts[each["layout"]], device,
                memory_config(ttnn, each["memory_config"]),
            )
            for each in row["inputs"]
        ]  # fmt: skip
        graph.begin_graph_capture(graph.RunMode.NO_DISPATCH)
        try:
            call(*inputs)
        finally:
            graph.end_graph_capture()
            graph.extract_resource_usage_per_core(graph.end_graph_capture())

    return ask


def measure(module: str, rows: str, out: str) -> None:
    ttnn = importlib.import_module(module)
    if module == "ttnn":  # its Python warns of each capture, which takes time of its own
        importlib.import_module("loguru").logger.disable("ttnn")
    from configurations import FAMILIES

    every = {name: entry for family in FAMILIES.values() for name, entry in family.items()}
    device = ttnn.open_device(device_id=0, l1_small_size=32768)
    times: dict[str, list[float]] = {}
    for line in pathlib.Path(rows).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        answer = row["stateless"]
        sharded = any(each["memory_config"]["memory_layout"] == "ND_SHARDED" for each in row["inputs"])
        if row["op"] not in every or sharded or answer is None or answer["status"] != "Success":
            continue
        function, args = every[row["op"]][1], row["args"]
        place = memory_config(ttnn, row["out_mem"]) if row["out_mem"] and row["out_mem"]["memory_layout"] != "ND_SHARDED" else None

        def call(*tensors: Any) -> Any:
            return function(ttnn, list(tensors), args, place)  # noqa: B023

        if module == "ttnn":
            ask = ask_ttnn(ttnn, device, call, row)
        else:
            specs = [spec_of(ttnn, each) for each in row["inputs"]]

            def ask() -> None:
                ttnn.graph.query_op_constraints(call, device, *specs)  # noqa: B023

        taken = []
        for _ in range(REPEATS):
            if module == "ttnn":
                device.clear_program_cache()
            begin = time.perf_counter()
            try:
                ask()
            except Exception:  # noqa: BLE001  a call that today's version refuses is no measurement
                break
            taken.append(time.perf_counter() - begin)
        if len(taken) == REPEATS:
            times.setdefault(row["op"], []).append(statistics.median(taken))
    pathlib.Path(out).write_text(json.dumps({name: statistics.median(each) for name, each in times.items()}), encoding="utf-8")
    print(f"{len(times)} operations, median {statistics.median([t for each in times.values() for t in each]) * 1e6:.1f} us")


def compare(theirs: str, ours: str) -> None:
    a, b = (json.loads(pathlib.Path(each).read_text(encoding="utf-8")) for each in (theirs, ours))
    ratios = sorted((a[name] / b[name], name) for name in a if name in b)
    middle = statistics.median(ratio for ratio, _ in ratios)
    print(f"{len(ratios)} operations: {middle:.0f} times cheaper (median), least {ratios[0][0]:.0f} ({ratios[0][1]})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", default="ttnn")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("files", nargs=2)
    options = parser.parse_args()
    if options.compare:
        compare(*options.files)
    else:
        measure(options.module, *options.files)
