# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Frees of what shares its memory, of what is freed already, and of the last owner; views that outlive their memory."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)
x = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for force in (False, True):
    y = ttnn.relu(x)
    view = ttnn.reshape(y, [64, 64])
    ttnn.deallocate(y, force)
    ttnn.deallocate(view, force)
    y = ttnn.relu(x)
    alias = y
    ttnn.deallocate(y, force)
    ttnn.deallocate(alias, force)
    ttnn.deallocate(alias, force)
    y = ttnn.relu(x)
    y = ttnn.reshape(y, [64, 64])
    y.deallocate(force)
    y = ttnn.relu(x)
    first = ttnn.reshape(y, [64, 64])
    if force:
        del y
    second = ttnn.reshape(first, [1, 64, 64])
    third = ttnn.reshape(second, [64, 1, 64])
    ttnn.deallocate(second, force)
    ttnn.deallocate(second, force)
    del second
    ttnn.deallocate(third, False)
    del first
    del third
    y = ttnn.relu(x)
    first = ttnn.reshape(y, [64, 64])
    ttnn.deallocate(first, force)
    del first
    y = ttnn.relu(x)
    first = ttnn.reshape(y, [64, 64])
    ttnn.deallocate(y, force)
    del y
    del first
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
