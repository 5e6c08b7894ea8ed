# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The time that TT-NN itself takes to plan one operation in a NO_DISPATCH capture: beside tilemeter_bench_planning's
figures.

    usage: ttnn_planning.py

Runs in TT-NN's Python, on a board or on its mock device (TT_METAL_MOCK_CLUSTER_DESC_PATH). Per operation: the median of a
hundred second calls (hit) and of forty first calls, each with other rows (miss). The call goes through Python, which adds
some microseconds of its own.
"""

import statistics
import time

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(shape):
    return ttnn.allocate_tensor_on_device(ttnn.Shape(shape), ttnn.bfloat16, ttnn.TILE_LAYOUT, device, ttnn.DRAM_MEMORY_CONFIG)


WEIGHT, BIAS = tensor([1, 1, 64, 256]), tensor([1, 256])
OPERATIONS = {
    "add": lambda a: ttnn.add(a, a),
    "relu": ttnn.relu,
    "softmax": lambda a: ttnn.softmax(a, dim=-1),
    "layer_norm": ttnn.layer_norm,
    "transpose": lambda a: ttnn.transpose(a, -1, -2),
    "sum": lambda a: ttnn.sum(a, dim=-1),
    "typecast": lambda a: ttnn.typecast(a, ttnn.float32),
    "matmul": lambda a: ttnn.matmul(a, WEIGHT),
    "linear": lambda a: ttnn.linear(a, WEIGHT, bias=BIAS),
    "concat": lambda a: ttnn.concat([a, a], dim=-1),
}


def microseconds(call, argument):
    begin = time.perf_counter_ns()
    call(argument)
    return (time.perf_counter_ns() - begin) / 1000


for name, call in OPERATIONS.items():
    inputs = [tensor([1, 1, 32 * (1 + i), 64]) for i in range(40)]
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NO_DISPATCH)
    first = [microseconds(call, each) for each in inputs]
    second = [microseconds(call, inputs[7]) for _ in range(100)]
    ttnn.graph.end_graph_capture()
    device.clear_program_cache()
    print(f"{name:12} hit {statistics.median(second):8.1f} us   miss {statistics.median(first):8.1f} us", flush=True)

ttnn.close_device(device)
