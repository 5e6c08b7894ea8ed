# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Around a backbone: images made larger in three ways and folded, means of whole images, a classifier's head."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=24576)
images = ttnn.from_torch(torch.randn(2, 14, 14, 64), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
features = ttnn.from_torch(torch.randn(2, 7, 7, 320), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
weight = ttnn.from_torch(torch.randn(320, 128), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
twice = ttnn.upsample(images, 2)
smooth = ttnn.upsample(images, (2, 2), mode="bilinear", memory_config=ttnn.DRAM_MEMORY_CONFIG)
broken = ttnn.upsample(images, [1.5, 2.5], memory_config=ttnn.L1_MEMORY_CONFIG)
both = ttnn.add(twice, smooth)
pooled = ttnn.global_avg_pool2d(features)
moved = ttnn.global_avg_pool2d(images, memory_config=ttnn.L1_MEMORY_CONFIG)
logits = ttnn.linear(ttnn.reshape(pooled, (2, 320)), weight)
per_channel = ttnn.mean(images, dim=[1, 2], keepdim=True)
brightest = ttnn.max(images, dim=-1)
total = ttnn.sum(images, dim=-2)
folded = ttnn.fold(images, 2, 2)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
print(both.shape, broken.shape, moved.shape, logits.shape, per_channel.shape, brightest.shape, total.shape, folded.shape)
ttnn.close_device(device)
