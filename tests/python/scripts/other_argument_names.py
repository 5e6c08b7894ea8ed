# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Arguments by their less usual names, by position, and such as say what is so anyway."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, layout=ttnn.TILE_LAYOUT):
    return ttnn.from_torch(torch.rand(*shape), dtype=ttnn.bfloat16, layout=layout, device=device)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))

x, y = tensor(1, 1, 64, 64), tensor(1, 1, 64, 64)
rows = tensor(1, 1, 64, 64, layout=ttnn.ROW_MAJOR_LAYOUT)
whole = ttnn.from_torch(torch.randint(0, 9, (64, 64)), dtype=ttnn.int32, layout=ttnn.TILE_LAYOUT, device=device)
results = [
    ttnn.argmax(rows, -1),
    ttnn.argmax(rows, 3, True),
    ttnn.argmax(rows, dim=3, sub_core_grids=None),
    ttnn.add(x, y, sub_core_grids=None),
    ttnn.relu(x, sub_core_grids=None, memory_config=ttnn.L1_MEMORY_CONFIG),
    ttnn.bitwise_and(whole, input_b=3),
    ttnn.clone(input=x),
    ttnn.cumsum(x, 2, disable_compensated_sum=True),
    ttnn.div(x, value=2.0),
    ttnn.full([32, 32], 1.0, ttnn.bfloat16, ttnn.TILE_LAYOUT, device, ttnn.DRAM_MEMORY_CONFIG, None),
    ttnn.zeros_like(x, ttnn.bfloat16, ttnn.TILE_LAYOUT, device, ttnn.DRAM_MEMORY_CONFIG, None),
    ttnn.mean(x, -1, True, correction=True),
    ttnn.sum(x, -1, fast_and_approximate_mode=True),
    ttnn.max(x, -1, sub_core_grids=None),
    ttnn.pad(rows, [1, 1, 96, 64], [0, 0, 0, 0], 0.0),
    ttnn.pad(rows, output_padded_shape=[1, 1, 96, 64], input_tensor_start=[0, 0, 0, 0], value=0.0),
    ttnn.permute(x, (0, 1, 3, 2), 0.0),
    ttnn.transpose(x, 2, 3, 0.0),
    ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT, None, None, None, 0.0),
    ttnn.to_memory_config(x, ttnn.L1_MEMORY_CONFIG, None, None),
    ttnn.typecast(x, ttnn.bfloat16, ttnn.float32),
    ttnn.sigmoid_accurate(x, False),
    ttnn.slice(x, slice_start=[0, 0, 0, 0], slice_end=[1, 1, 32, 32], slice_step=[1, 1, 1, 1]),
    ttnn.concat([x, y], dim=3, groups=1),
    ttnn.matmul(x, y, sub_device_id=None, global_cb=None),
    ttnn.reshape(x, (1, 1, 32, 128), skip_padding_fill=False),
    ttnn.layer_norm(x, recip_tensor=None),
]
results.append(ttnn.from_device(x, True))
results.append(ttnn.from_device(x, blocking=True))
ttnn.multiply_(input_a=x, input_b=y)
ttnn.add_(x, y, sub_device_id=None)
moved = ttnn.reallocate(tensor=y)
for call in (lambda: ttnn.add(x, "a"), lambda: ttnn.relu(x, foo=1), lambda: ttnn.relu()):
    try:
        call()
        raise AssertionError("expected a refusal")
    except TypeError as error:
        lines = str(error).splitlines()
        assert lines[1].endswith("(): incompatible function arguments.") and lines[3] == "Called with:", lines
        assert lines[6] == "Available signatures:"

ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
