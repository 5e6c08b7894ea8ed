# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Weights kept in files, tensors written and read."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


import pathlib
import tempfile

scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
weight = torch.ones(64, 128, dtype=torch.bfloat16)
options = {"dtype": ttnn.bfloat16, "layout": ttnn.TILE_LAYOUT, "device": device, "memory_config": DRAM}
begin()
first = ttnn.as_tensor(weight, cache_file_name=folder / "weight", **options)
second = ttnn.as_tensor(weight, cache_file_name=folder / "weight", **options)
x = ttnn.as_tensor(torch.ones(1, 1, 32, 64, dtype=torch.bfloat16), **options)
y = ttnn.matmul(x, first, memory_config=L1)
z = ttnn.matmul(x, second)
ttnn.dump_tensor(str(folder / "y.tensorbin"), ttnn.from_device(y))
loaded = ttnn.load_tensor(str(folder / "y.tensorbin"), device=device)
total = ttnn.add(loaded, z)
end()

ttnn.close_device(device)
