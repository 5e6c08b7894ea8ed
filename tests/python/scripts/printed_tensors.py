# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's recording of printed tensors: of those on a device a function that the next operation ends."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
x = ttnn.from_torch(torch.rand(2, 3), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
text = repr(x)
y = ttnn.relu(x)
del y
text = str(x), f"{x}"
rows = x.to(ttnn.ROW_MAJOR_LAYOUT)
text = repr(rows)
host = x.cpu()
del host
z = x + x
text = repr(z.cpu())
z.deallocate()
text = repr(z)
ttnn.graph.track_function_start("of the user")
text = repr(x)
y = ttnn.relu(x)
ttnn.graph.track_function_end()
y = ttnn.relu(x)
text = repr(x)
y.deallocate()
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
y = ttnn.relu(x)
ttnn.graph.end_graph_capture()
ttnn.close_device(device)
