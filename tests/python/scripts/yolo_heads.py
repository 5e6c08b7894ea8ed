# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Heads of YOLO: distributions of distances, boxes, scores."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = tensor(1, 1, 6400, 144)
anchors = tensor(1, 1, 6400, 2)
stride = tensor(1, 1, 6400, 1)
begin()
box, cls = ttnn.split(x, [64, 80], dim=3)
b = ttnn.reshape(box, (1, 6400, 4, 16))
b = ttnn.softmax(b, dim=-1)
w = ttnn.reshape(ttnn.arange(0, 16, 1, dtype=ttnn.bfloat16, device=device), (1, 1, 1, 16))
w = ttnn.to_layout(w, ttnn.TILE_LAYOUT)
d = ttnn.sum(ttnn.mul(b, w), dim=-1)
d = ttnn.reshape(d, (1, 1, 6400, 4))
lt, rb = d[:, :, :, 0:2], d[:, :, :, 2:4]
x1 = ttnn.sub(anchors, lt)
x2 = ttnn.add(anchors, rb)
c = ttnn.div(ttnn.add(x1, x2), 2.0)
wh = ttnn.sub(x2, x1)
o = ttnn.mul(ttnn.concat([c, wh], dim=-1), stride)
s = ttnn.sigmoid(cls)
y = ttnn.concat([o, s], dim=-1)
end()
ttnn.close_device(device)
