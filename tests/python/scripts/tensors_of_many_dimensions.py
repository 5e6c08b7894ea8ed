# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors of more than eight dimensions, in tiles and in rows."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def attempt(operation, *arguments, **keywords):
    try:
        return operation(*arguments, **keywords)
    except (RuntimeError, TypeError) as error:
        return str(error)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for rank in (9, 13):
    shape = [1, 2] + [1] * (rank - 5) + [2, 33, 34]
    for layout in (ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT):
        x = ttnn.zeros(shape, dtype=ttnn.bfloat16, layout=layout, device=device)
        assert list(x.shape) == shape
        matrix = ttnn.reshape(x, [4 * 33, 34])
        for call in (
            lambda: ttnn.relu(x), lambda: ttnn.add(x, x), lambda: ttnn.typecast(x, ttnn.float32), lambda: ttnn.clone(x),
            lambda: ttnn.transpose(x, -1, -2), lambda: ttnn.permute(x, [1, 0, *range(2, rank)]), lambda: ttnn.squeeze(x, 0),
            lambda: ttnn.unsqueeze(x, 0), lambda: ttnn.concat([x, x], -1), lambda: ttnn.sum(x, -1), lambda: ttnn.max(x, -1),
            lambda: ttnn.sum(x, 0), lambda: ttnn.where(x, x, x), lambda: ttnn.to_memory_config(x, ttnn.L1_MEMORY_CONFIG),
            lambda: ttnn.softmax(x, -1), lambda: ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT), lambda: ttnn.prod(x, -2),
            lambda: x[..., 0:32, 0:32],
        ):
            result = attempt(call)
            del result
        del matrix, x
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
