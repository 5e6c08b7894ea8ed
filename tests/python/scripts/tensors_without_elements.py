# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors without elements, in tiles and in rows: reduced, normalized, multiplied, moved and repeated."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)
L1 = ttnn.L1_MEMORY_CONFIG


def zeros(*shape, layout=ttnn.TILE_LAYOUT, dtype=ttnn.bfloat16):
    return ttnn.zeros(shape, dtype=dtype, layout=layout, device=device)


def attempt(operation, *arguments, **keywords):
    try:
        return operation(*arguments, **keywords)
    except (RuntimeError, TypeError) as error:
        return str(error)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for layout in (ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT):
    flat, tall, four = zeros(3, 0, layout=layout), zeros(0, 3, layout=layout), zeros(2, 3, 0, 4, layout=layout)
    for call in (
        lambda: ttnn.sum(flat, 1), lambda: ttnn.mean(flat, 1, keepdim=True), lambda: ttnn.max(flat), lambda: ttnn.max(flat, 0),
        lambda: ttnn.min(tall, 0, keepdim=True), lambda: ttnn.sum(four, [0, 1]), lambda: ttnn.sum(four, [0, 2], keepdim=True),
        lambda: ttnn.std(flat, 1), lambda: ttnn.var(flat, 0), lambda: ttnn.argmax(flat, 0), lambda: ttnn.argmax(flat, 1),
        lambda: ttnn.prod(flat, 1), lambda: ttnn.prod(four), lambda: ttnn.prod(tall, 0, keepdim=True, memory_config=L1),
        lambda: ttnn.softmax(flat, 1), lambda: ttnn.softmax(tall, 0, memory_config=L1), lambda: ttnn.layer_norm(tall),
        lambda: ttnn.rms_norm(tall), lambda: ttnn.sort(tall, 0), lambda: ttnn.topk(four, 1),
        lambda: ttnn.matmul(flat, tall), lambda: ttnn.matmul(tall, flat), lambda: ttnn.linear(tall, flat),
        lambda: ttnn.matmul(flat, flat, transpose_b=True, dtype=ttnn.float32),
        lambda: ttnn.relu(tall), lambda: ttnn.add(tall, tall),
        lambda: ttnn.reshape(tall, [0, 5]), lambda: ttnn.where(tall, 1.0, 2.0),
        lambda: ttnn.expand(tall, [0, 3]), lambda: ttnn.expand(tall, [2, 0, 3]),
        lambda: ttnn.to_layout(tall, ttnn.TILE_LAYOUT), lambda: ttnn.to_layout(tall, ttnn.ROW_MAJOR_LAYOUT),
        lambda: ttnn.clone(tall), lambda: ttnn.split(tall, 1, 1), lambda: ttnn.glu(four, -1),
    ):
        result = attempt(call)
        del result
    del flat, tall, four
tall, flat, weights, bias = zeros(0, 3), zeros(3, 0), zeros(3, 5), zeros(1, 5)
for call in (
    lambda: ttnn.linear(tall, weights, bias=bias, memory_config=L1),
    lambda: ttnn.linear(flat, zeros(0, 5), bias=bias, activation="relu"), lambda: ttnn.where(tall, tall, tall),
    lambda: ttnn.addcmul(tall, tall, tall), lambda: ttnn.lerp(tall, tall, 0.5), lambda: ttnn.pad(tall, [(0, 2), (0, 0)], 0),
    lambda: ttnn.untilize(tall), lambda: ttnn.fill_implicit_tile_padding(tall, 1.0),
):
    result = attempt(call)
    del result
del tall, flat, weights, bias
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
