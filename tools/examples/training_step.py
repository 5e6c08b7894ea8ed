# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A training step before it runs: does it fit, what does the way back keep, up to which batch, and what if values are made again.

    python training_step.py
"""

import pathlib

import tilemeter as ttnn
import tilemeter.trace as trace

L1 = ttnn.L1_MEMORY_CONFIG


def loss(first: ttnn.Tensor, second: ttnn.Tensor, x: ttnn.Tensor, target: ttnn.Tensor) -> ttnn.Tensor:
    hidden = ttnn.gelu(ttnn.matmul(x, first, memory_config=L1), memory_config=L1)
    wrong = ttnn.subtract(ttnn.matmul(hidden, second, memory_config=L1), target, memory_config=L1)
    return ttnn.mean(ttnn.multiply(wrong, wrong, memory_config=L1))


def step(first: ttnn.Tensor, second: ttnn.Tensor, x: ttnn.Tensor, target: ttnn.Tensor) -> tuple[ttnn.Tensor, ...]:
    value, (of_first, of_second) = trace.value_and_grad(loss, (0, 1))(first, second, x, target)
    return value, first - of_first * 0.1, second - of_second * 0.1


def main() -> None:
    device = ttnn.open_device(device_id=0)

    def tiles(*shape: int) -> ttnn.Tensor:
        return ttnn.zeros(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    first, second = tiles(784, 512), tiles(512, 32)
    plan = trace.plan(step, first, second, tiles(4096, 784), tiles(4096, 32))
    peak = plan.memory()["l1_per_core"]
    print(f"peak: {peak['bytes']:,} B per core in equation {peak['equation']}, {peak['program_bytes']:,} of them a program's")

    print("kept for the way back, dearest first:")
    for each in plan.saved():
        equations = each["byte_equations"] // each["bytes"]
        made, needed = pathlib.Path(each["made_by"]["source"]).name, ", ".join(by["operation"] for by in each["needed_by"])
        print(f"  {each['bytes']:>9,} B for {equations} equations: {each['shape']}, made at {made}, needed by {needed}")

    up_to = trace.peak_at_sizes(step, lambda batch: (first, second, tiles(batch, 784), tiles(batch, 32)), largest=65536, name="batch")
    print(f"largest batch that fits: {up_to['largest_fitting']['size']:,}; the next one fails in {up_to['next']['operation']}")

    curve = trace.recompute_curve(step, first, second, tiles(4096, 784), tiles(4096, 32))
    for point in (curve.points[0], curve.points[-1]):
        again = len(point["recomputed"])
        print(f"with {again} values made again: {point['l1_bytes_per_core']:,} B per core, {point['cost'] / curve.cost_of_run:.1%} dearer")
    plan.memory_html("memory.html", sizes=up_to, recompute=curve)
    ttnn.close_device(device)


if __name__ == "__main__":
    main()
