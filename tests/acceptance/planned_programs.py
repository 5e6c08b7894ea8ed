# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random programs with random frees: plan_program's addresses beside those of a run, step by step.

    planned_programs.py --plan OUT.json [--programs N]     with tilemeter: plans them
    planned_programs.py --run OUT.json                     with the real TT-NN on a mock device: runs the same and compares

A program that fails has to fail at the same step, for lack of memory on both sides. Last line: N programs alike, M differ.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import pathlib
import random
import re
import sys
from typing import Any

STEPS = 50
FIGURES = re.compile(r"Not enough space to allocate .*?largest free block: \d+ B|L1 buffer allocated at .* region ends at \d+")
CALLS = ("relu", "exp", "add", "mul", "softmax", "layer_norm", "concat", "sum", "matmul", "transpose", "reshape", "typecast")


def programs(count: int) -> list[dict[str, Any]]:
    """Inputs as shape and memory; steps as a call, values by number, the memory of its result, and the values that go."""
    chance = random.Random(45)
    made = []
    for _ in range(count):
        most = chance.choice((6, 40, 90))
        shapes = [[1, 1, 32 * chance.randint(1, most), 32 * chance.randint(1, most)] for _ in range(chance.randint(1, 4))]
        inputs = [{"shape": shape, "memory": chance.choice(("L1", "L1", "DRAM"))} for shape in shapes]
        alive = list(range(len(shapes)))
        steps = []
        for _ in range(STEPS):
            first = chance.choice(alive)
            second = chance.choice([each for each in alive if shapes[each] == shapes[first]])
            call = chance.choice(CALLS)
            if call == "matmul" and shapes[first][-1] * shapes[first][-2] > 400_000:
                call = "relu"
            rows, columns = shapes[first][-2:]
            shape = {
                "concat": [1, 1, rows, 2 * columns], "sum": [1, 1, rows, 1], "matmul": [1, 1, rows, rows],
                "transpose": [1, 1, columns, rows], "reshape": [1, 1, columns, rows] if columns % 32 == 0 else [1, 1, rows, columns],
            }.get(call, [1, 1, rows, columns])  # fmt: skip
            if call == "sum" or max(shape) > 8192:
                call, shape = "exp", [1, 1, rows, columns]
            steps.append({"call": call, "operands": [first, second], "memory": chance.choice(("L1", "L1", "L1", "DRAM")), "frees": []})
            shapes.append(shape)
            alive.append(len(shapes) - 1)
            for each in list(alive):
                if len(alive) > 1 and chance.random() < 0.17:
                    alive.remove(each)
                    steps[-1]["frees"].append(each)
        made.append({"inputs": inputs, "steps": steps})
    return made


def called(ttnn: Any, step: dict[str, Any], a: Any, b: Any) -> Any:
    memory = ttnn.L1_MEMORY_CONFIG if step["memory"] == "L1" else ttnn.DRAM_MEMORY_CONFIG
    call = step["call"]
    if call in ("relu", "exp"):
        return getattr(ttnn, call)(a, memory_config=memory)
    if call in ("add", "mul"):
        return getattr(ttnn, call)(a, b, memory_config=memory)
    if call in ("softmax",):
        return ttnn.softmax(a, dim=-1, memory_config=memory)
    if call == "layer_norm":
        return ttnn.layer_norm(a, memory_config=memory)
    if call == "concat":
        return ttnn.concat([a, b], dim=-1, memory_config=memory)
    if call == "matmul":
        return ttnn.matmul(a, b, transpose_b=True, memory_config=memory)
    if call == "transpose":
        return ttnn.transpose(a, -1, -2, memory_config=memory)
    if call == "reshape":
        return ttnn.reshape(a, [1, 1, a.shape[-1], a.shape[-2]], memory_config=memory)
    return ttnn.typecast(a, ttnn.bfloat16, memory_config=memory)


def plan(path: str, count: int) -> None:
    ttnn = importlib.import_module("tilemeter")
    graph = ttnn.graph
    device = ttnn.open_device(device_id=0)
    rows = []
    failing = 0
    for program in programs(count):
        inputs = [graph.ProgramInput(ttnn.TensorSpec(each["shape"], ttnn.bfloat16, ttnn.TILE_LAYOUT, getattr(ttnn.BufferType, each["memory"])))
                  for each in program["inputs"]]  # fmt: skip
        values: list[Any] = list(inputs)
        steps = []
        for step in program["steps"]:
            one, other = (values[each] for each in step["operands"])
            steps.append(graph.ProgramStep(lambda a, b, step=step: called(ttnn, step, a, b), one, other, name=step["call"]))
            values.append(steps[-1])
            steps[-1].frees = [values[each] for each in step["frees"]]
        planned = graph.plan_program(steps, device, inputs=inputs)
        failure = planned.failure
        failing += failure is not None
        rows.append({
            **program, "input_addresses": [record.address for _, record in planned.inputs],
            "addresses": [each.output_allocations[0].address for each in planned.steps],
            "fails": None if failure is None else {"step": failure.step, "kind": failure.refusal.kind, "message": failure.error_message},
        })  # fmt: skip
    pathlib.Path(path).write_text(json.dumps(rows), encoding="utf-8")
    print(f"{len(rows)} programs planned, {failing} of them fail")


def difference(ttnn: Any, device: Any, row: dict[str, Any]) -> str | None:
    values: dict[int, Any] = {}
    for number, (each, address) in enumerate(zip(row["inputs"], row["input_addresses"])):
        memory = ttnn.L1_MEMORY_CONFIG if each["memory"] == "L1" else ttnn.DRAM_MEMORY_CONFIG
        values[number] = ttnn.allocate_tensor_on_device(ttnn.Shape(each["shape"]), ttnn.bfloat16, ttnn.TILE_LAYOUT, device, memory)
        if values[number].buffer_address() != address:
            return f"input {number} at {values[number].buffer_address()}, planned {address}"
    for number, step in enumerate(row["steps"]):
        fails = row["fails"] is not None and row["fails"]["step"] == number
        one, other = (values[each] for each in step["operands"])
        try:
            result = called(ttnn, step, one, other)
        except RuntimeError as error:
            if not fails:
                return f"step {number} ({step['call']}) fails: {str(error)[:200]!r}"
            found, planned = FIGURES.search(str(error)), row["fails"]["message"]
            if found is not None and found.group() not in planned:
                return f"step {number} ({step['call']}) fails by {found.group()!r}, planned was {planned[:300]!r}"
            return None
        if fails:
            return f"step {number} ({step['call']}) runs, planned was {row['fails']['message'][:200]!r}"
        del one, other
        if result.buffer_address() != row["addresses"][number]:
            return f"step {number} ({step['call']}) at {result.buffer_address()}, planned {row['addresses'][number]}"
        values[len(row["inputs"]) + number] = result
        del result
        for each in step["frees"]:
            del values[each]
    return None


def run(path: str) -> int:
    ttnn = importlib.import_module("ttnn")
    differ = 0
    rows = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    device = ttnn.open_device(device_id=0)
    for number, row in enumerate(rows):
        device.clear_program_cache()
        why = difference(ttnn, device, row)
        gc.collect()
        if why is not None:
            differ += 1
            print(f"program {number}: {why}")
    print(f"{len(rows) - differ} programs alike, {differ} differ")
    return differ != 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", metavar="OUT.json")
    parser.add_argument("--run", metavar="OUT.json")
    parser.add_argument("--programs", type=int, default=200)
    options = parser.parse_args()
    if options.plan:
        plan(options.plan, options.programs)
    if options.run:
        sys.exit(run(options.run))
