# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Graphs of ttnn.tracer, printed for comparison: run by TT-NN 0.81.1 they are tests/data/python/tracer_graphs.txt.

    usage: TTNN_CONFIG_OVERRIDES='{"enable_fast_runtime_mode": false}' PYTHON tracer_cases.py FILE

Needs torch, networkx and `ttnn`. Arguments of operations of ttnn are not printed, since TT-NN's tracer does not know those of
its C++ operations, nor are durations and the numbers of nodes.
"""

import pathlib
import re
import sys

import torch


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x, scale=1.0):
        return torch.nn.functional.softmax(self.fc(x) * scale, dim=-1)


class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.norm = Inner(), Inner(), torch.nn.LayerNorm(8)

    def forward(self, x, y=None):
        h = self.a(x) + y
        return self.norm(self.b(h, scale=2.0)), h


class Convolution(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.MaxPool2d(2))

    def forward(self, image):
        return torch.flatten(self.layers(image), 1)


def modules(ttnn):
    model = Outer().eval()
    with ttnn.tracer.trace():
        x, y = torch.rand((2, 8)), torch.ones(2, 8)
        out, h = model(x, y=y)
        return torch.cat([out, h], dim=0).reshape(4, 8)


def convolution(ttnn):
    model = Convolution().eval()
    with ttnn.tracer.trace():
        return model(torch.zeros((1, 3, 8, 8))).sum(dim=-1)


def operations(ttnn):
    with ttnn.tracer.trace():
        tensor = ttnn.from_torch(torch.randint(0, 100, (4, 64)))
        return ttnn.to_torch(ttnn.reshape(tensor, (2, 4, 32)))


CASES = (modules, convolution, operations)


def _kind(node):
    return re.sub(r"_\d+$", "", node.name)


def graph_lines(graph, indent=0):
    """A line for each node, what is given to a module first: what it does, of what, and what it makes."""
    lines = []
    for node in sorted(graph, key=lambda each: (_kind(each) != "module_input", each)):
        attributes = graph.nodes[node]
        operation = attributes["operation"]
        kind = type(operation).__name__
        edges = sorted(
            (data["sink_input_index"], _kind(source), data["source_output_index"])
            for source, _, data in graph.in_edges(node, data=True)
        )
        arguments = [] if kind == "TTNNOperation" else getattr(operation, "arg_name_value_pairs", [])
        name = str(operation).replace("\n", " ").replace("__main__.", "").replace("tracer_cases.", "")
        shapes, dtypes = [tuple(each) for each in attributes["shapes"]], [str(each) for each in attributes["dtypes"]]
        lines.append(f"{' ' * indent}{kind} {name} {_kind(node)} {shapes} {dtypes} of {edges} with {arguments}")
        if kind == "TorchModule":
            ends = [_kind(each.node) for each in operation.inputs]
            made = [(_kind(each.node), each.output_index) for each in operation.outputs]
            lines.append(f"{' ' * indent}  from {ends} to {made}")
            lines += graph_lines(operation.graph, indent + 4)
    return lines


def printed(ttnn, case):
    output = case(ttnn)
    lines = [case.__name__, *graph_lines(ttnn.tracer.get_graph(output))]
    lines += ["flat", *graph_lines(ttnn.tracer.get_graph(output, flatten=True))]
    if case is not operations:
        lines += ["code", *re.sub(r"; duration: .*", "", ttnn.tracer.codegen(output)).split("\n")]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    import ttnn
    import ttnn.tracer

    pathlib.Path(sys.argv[1]).write_text("\n".join(printed(ttnn, case) for case in CASES))
