# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""ttnn.tracer and ttnn.torch_tracer: the graphs that TT-NN 0.81.1 makes of the same programs (tracer_cases.py)."""

import pathlib

import pytest

torch = pytest.importorskip("torch")
networkx = pytest.importorskip("networkx")

import tilemeter as ttnn
import tracer_cases

RECORDED = pathlib.Path(__file__).parents[1] / "data/python/tracer_graphs.txt"


@pytest.fixture
def slow_mode():
    ttnn.CONFIG.enable_fast_runtime_mode = False
    yield
    ttnn.CONFIG.enable_fast_runtime_mode = True


@pytest.mark.parametrize("case", tracer_cases.CASES, ids=lambda each: each.__name__)
def test_graphs_are_those_of_ttnn(case, slow_mode):
    recorded = next(each for each in _recorded_cases() if each.startswith(case.__name__ + "\n"))
    graphs, _, code = tracer_cases.printed(ttnn, case).rstrip().partition("\ncode\n")
    recorded_graphs, _, recorded_code = recorded.rstrip().partition("\ncode\n")
    assert graphs == recorded_graphs
    assert code.endswith(recorded_code)  # TT-NN leaves out the functions of modules within modules


def _recorded_cases():
    text = RECORDED.read_text()
    starts = sorted(text.index(f"{each.__name__}\nTorchFunction") for each in tracer_cases.CASES)
    return [text[begin:end] for begin, end in zip(starts, [*starts[1:], len(text)])]


def evaluated(graph):
    """The values of a flat graph by its nodes alone."""
    values = {}
    for node in networkx.lexicographical_topological_sort(graph):
        sources = ttnn.torch_tracer.sources(graph, node)
        operation = graph.nodes[node]["operation"]

        def given(value):
            if isinstance(value, ttnn.tracer.InputTensorIndex):
                return values[sources[value.index]]
            return type(value)(given(each) for each in value) if isinstance(value, (list, tuple)) else value

        if isinstance(operation, ttnn.tracer.TorchFunction):
            pairs = operation.arg_name_value_pairs
            named = {name: given(value) for name, value in pairs if isinstance(name, str)}
            made = operation.function(*(given(value) for name, value in pairs if not isinstance(name, str)), **named)
        else:
            made = operation.parameter if isinstance(operation, ttnn.tracer.TorchParameter) else operation.tensor
        for index, each in enumerate(made if isinstance(made, (list, tuple)) else [made]):
            values[node, index] = each
    return values


def test_a_flat_graph_computes_the_result(slow_mode):
    model = tracer_cases.Outer().eval()
    x, y = torch.rand(2, 8), torch.rand(2, 8)
    with ttnn.tracer.trace():
        out, _ = model(x, y)
        parts = out.clone()
        parts[0] = x[1]
        result = torch.cat(torch.split(parts, 4, dim=-1)[::-1], dim=-1) @ y.T
    values = evaluated(ttnn.tracer.get_graph(result, flatten=True))
    assert torch.equal(values[result.node, 0], result)


def test_torch_is_as_before_and_tensors_go_on(slow_mode):
    call, rand = torch.nn.Module.__call__, torch.rand
    with ttnn.tracer.trace():
        first = torch.rand(4)
        assert (torch.nn.Module.__call__, torch.rand) == (call, rand)
    assert not ttnn.tracer.is_tracing_enabled()
    assert not hasattr(first + 1, "node")
    with ttnn.tracer.trace():
        second = torch.exp(first)
    names = [str(data["operation"]) for _, data in sorted(ttnn.tracer.get_graph(second).nodes(data=True))]
    assert names == ["torch.rand", "torch.exp"]


def test_operations_have_names_memory_and_one_node(slow_mode):
    device = ttnn.open_device(device_id=0)
    a = ttnn.from_torch(torch.ones(32, 32), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    with ttnn.tracer.trace():
        result = ttnn.softmax(ttnn.add(a, a, memory_config=ttnn.L1_MEMORY_CONFIG), dim=-1)
    graph = ttnn.tracer.get_graph(result)
    nodes = sorted(graph)
    assert [str(graph.nodes[each]["operation"]) for each in nodes] == ["ttnn.Tensor", "ttnn.add", "ttnn.softmax"]
    assert graph.nodes[nodes[1]]["memory_configs"] == (ttnn.L1_MEMORY_CONFIG,)
    assert "ttnn.add(input_tensor_a=variable_0, input_tensor_b=variable_0, memory_config=" in ttnn.tracer.codegen(result)
    assert torch.allclose(ttnn.to_torch(result).float(), torch.full((32, 32), 1 / 32))
    ttnn.close_device(device)


def test_pictures_show_modules_down_to_a_depth(slow_mode, tmp_path):
    output = tracer_cases.modules(ttnn)
    source = ttnn.torch_tracer.visualize(output).source
    assert source.count("subgraph") == 6 and "torch.nn.functional.softmax" in source
    shallow = ttnn.torch_tracer.visualize(output, max_depth=2).source
    assert shallow.count("subgraph") == 1 and "softmax" not in shallow
    assert "subgraph" not in ttnn.torch_tracer.visualize(output, show_modules=False).source
    with pytest.raises(ValueError, match="must have a .svg, .png or .pdf suffix, not .txt"):
        ttnn.torch_tracer.visualize(output, file_name=tmp_path / "graph.txt")
    with pytest.raises(RuntimeError, match="max_depth must be greater than 0"):
        ttnn.torch_tracer.visualize(output, max_depth=0)


def test_a_call_that_fails_leaves_the_trace_as_it_was(slow_mode):
    with ttnn.tracer.trace():
        with pytest.raises(RuntimeError):
            torch.nn.Linear(3, 4)(torch.zeros(2, 2))
        with pytest.raises(RuntimeError):
            ttnn.reshape(ttnn.from_torch(torch.zeros(4)), (3,))
        result = torch.exp(torch.zeros(2))
    assert len(ttnn.tracer.get_graph(result)) >= 2
    assert str(result.graph.nodes[result.node]["operation"]) == "torch.exp"


def test_wrong_uses_are_refused(slow_mode):
    with ttnn.tracer.trace():
        with pytest.raises(ValueError, match="Tracing is already enabled"):
            ttnn.tracer.enable_tracing()
    with pytest.raises(RuntimeError, match="expected a tensor that was made in a trace, found none"):
        ttnn.tracer.get_graph([])
    ttnn.CONFIG.enable_fast_runtime_mode = True
    with pytest.raises(ValueError, match="Tracing is not supported in fast runtime mode"):
        ttnn.tracer.enable_tracing()
