# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations that a model registers itself, calls that name their command queue, golden and fallback functions."""

import sys

import torch
import ttnn
from ttnn.decorators import FastOperation, get_golden_function
from ttnn.operations.activations import get_golden_function_for_activation
from ttnn.operations.normalization import find_closest_largest_divisor


def tensor(*shape):
    return ttnn.from_torch(torch.randn(*shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


FAMILY = f"ttnn.models_of_{sys.argv[2]}"  # this may run twice in a process


@ttnn.register_python_operation(name=f"{FAMILY}.feed_forward", golden_function=lambda x, w, **_: torch.relu(x @ w))
def feed_forward(x, weight, *, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    hidden = ttnn.matmul(x, weight, memory_config=ttnn.L1_MEMORY_CONFIG)
    return ttnn.relu(hidden, memory_config=memory_config)


class Block:
    def __init__(self, weight):
        self.weight = weight

    @ttnn.register_python_operation(name=f"{FAMILY}.Block.forward", is_method=True)
    def forward(self, x):
        return ttnn.add(x, feed_forward(x, self.weight))


device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))

x, weight = tensor(1, 1, 64, 64), tensor(1, 1, 64, 64)
y = Block(weight).forward(x)
z = feed_forward(y, weight, memory_config=ttnn.L1_MEMORY_CONFIG)
z = ttnn.add(z, x, queue_id=0)
z = ttnn.multiply(z, 2.0, cq_id=0, memory_config=ttnn.L1_MEMORY_CONFIG)
z = ttnn.gelu(z, cq_id=None)
host = ttnn.from_device(z, cq_id=0)
with ttnn.command_queue(0):
    again = ttnn.to_device(host, device)

assert isinstance(feed_forward, FastOperation) and getattr(ttnn, FAMILY[5:]).feed_forward is feed_forward
assert feed_forward.python_fully_qualified_name == f"{FAMILY}.feed_forward" and not feed_forward.is_cpp_operation
assert ttnn.relu.is_cpp_operation and not ttnn.relu.is_experimental and sorted([ttnn.relu, ttnn.add]) == [ttnn.add, ttnn.relu]
names = [each.python_fully_qualified_name for each in ttnn.query_registered_operations()]
assert f"{FAMILY}.feed_forward" in names and f"{FAMILY}.Block.forward" not in names and names == sorted(names)
assert get_golden_function(ttnn.add) is ttnn.get_golden_function(ttnn.add)
assert get_golden_function_for_activation(None) is None and find_closest_largest_divisor(64, 7) == 4
same = ttnn.get_fallback_function(feed_forward)(x, weight)
assert same.layout == ttnn.TILE_LAYOUT and same.device() is not None
for name in ("relu", "feed_forward"):
    try:
        ttnn.register_python_operation(name=name)(lambda x: x)
        raise AssertionError(name)
    except RuntimeError as error:
        assert str(error) == "Module path have to have at least 2 tokens!"

ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
