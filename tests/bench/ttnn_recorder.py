# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The cost that a capture adds to a program in TT-NN: add and deallocate, again and again, with and without one.

    usage: ttnn_recorder.py [CALLS [ROUNDS]]

Runs in TT-NN's Python, on a board or on its mock device (TT_METAL_MOCK_CLUSTER_DESC_PATH). Prints one line of JSON per
round, as recorder_cost.cpp does. "NORMAL, C++" begins and ends the capture by TT-NN's C++ functions, so that what its
Python wrapper adds (records of Python calls, scopes) is not in the figure.
"""

import json
import sys
import time

import ttnn
from ttnn._ttnn.graph import begin_graph_capture as cpp_begin
from ttnn._ttnn.graph import end_graph_capture as cpp_end

graph = ttnn.graph
calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
device = ttnn.open_device(device_id=0)
a, b = (ttnn.zeros([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device) for _ in range(2))


def time_of_calls():
    begin = time.thread_time_ns()
    for _ in range(calls):
        ttnn.deallocate(ttnn.add(a, b))
    return time.thread_time_ns() - begin


def measure(begin=None, end=None, switches=()):
    for switch in switches:
        getattr(graph, "enable_" + switch)()
    if begin is not None:
        begin(graph.RunMode.NORMAL)
    ns = time_of_calls()
    nodes = 0 if end is None else len(end())
    for switch in switches:
        getattr(graph, "disable_" + switch)()
    return {"ns": ns, "nodes": nodes}


PYTHON = (graph.begin_graph_capture, graph.end_graph_capture)
STACKS, PAGES = "python_stack_traces", "detailed_buffer_tracing"
time_of_calls()
for _ in range(rounds):
    print(
        json.dumps(
            {
                "no capture": measure(),
                "NORMAL, C++": measure(cpp_begin, cpp_end),
                "NORMAL": measure(*PYTHON),
                "NORMAL + stacks": measure(*PYTHON, (STACKS,)),
                "NORMAL + pages": measure(*PYTHON, (PAGES,)),
                "NORMAL + stacks + pages": measure(*PYTHON, (STACKS, PAGES)),
            }
        ),
        flush=True,
    )
ttnn.close_device(device)
