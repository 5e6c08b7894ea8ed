# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of the graphs of torch_tracer and tracer, by Graphviz: modules as boxes around what they compute."""

from __future__ import annotations

import html
import pathlib
from typing import Any, Callable

import graphviz

from tilemeter._src.models.traced_graph import TorchModule, duration_to_string, get_graph, sources

_SUFFIXES = (".svg", ".png", ".pdf")
_MODULE_COLORS = ("#dce8f7", "#f7e6dc", "#e0f2dd", "#efe0f4")
_SOURCE_COLOR, _CALL_COLOR = "#f4f1de", "#e6e6e6"


def _tensor_text(attributes: dict[str, Any], index: int) -> str:
    parts = [str(attributes["shapes"][index]), str(attributes["dtypes"][index])]
    for key in ("layouts", "memory_configs"):
        value = attributes.get(key, ())
        if value and value[index] is not None:
            parts.append(str(value[index]))
    return "\n".join(parts)


def _cell(text: str, port: str = "") -> str:
    attribute = f' PORT="{port}"' if port else ""
    return f"<TD{attribute}>{html.escape(text, quote=False).replace(chr(10), '<BR/>')}</TD>"


def visualize_node(
    graphviz_graph: Any, graph: Any, node: Any, max_depth: int | None, visualize_node: Callable[..., Any],
    visualize_edge: Callable[..., Any], level: int, verbose: bool,
) -> None:
    """Draws a node: its operation, what it takes and what it makes; a module as a box, down to `max_depth`."""
    attributes = graph.nodes[node]
    operation = attributes["operation"]
    label = operation.to_string(verbose=verbose)
    if attributes.get("duration") is not None:
        label += f"\n{duration_to_string(attributes['duration'])}"
    color = _MODULE_COLORS[level % len(_MODULE_COLORS)]
    is_module = isinstance(operation, TorchModule)
    if is_module and (max_depth is None or level + 1 < max_depth):
        with graphviz_graph.subgraph(name=f"cluster_{node.name}") as box:
            box.attr(label=label, style="filled", color=color)
            _draw(box, operation.graph, max_depth, visualize_node, visualize_edge, verbose, level + 1)
        return
    given = sources(graph, node)
    inputs = "".join(
        _cell(f"Input {index}\n{_tensor_text(graph.nodes[source], output)}", f"${index}")
        for index, (source, output) in enumerate(given)
    )
    outputs = "".join(
        _cell(f"Output {index}\n{_tensor_text(attributes, index)}", f"#{index}") for index in range(len(attributes["shapes"]))
    )
    rows = [f"<TR>{_cell(label)}{inputs}</TR>"] + ([f"<TR>{outputs}</TR>"] if outputs else [])
    table = f'<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="1">{"".join(rows)}</TABLE>>'
    graphviz_graph.node(node.name, label=table, fillcolor=color if is_module else _CALL_COLOR if given else _SOURCE_COLOR)


def _drawn_source(graph: Any, node: Any, output: int, level: int, max_depth: int | None) -> tuple[Any, int]:
    operation = graph.nodes[node]["operation"]
    if not isinstance(operation, TorchModule) or (max_depth is not None and level + 1 >= max_depth):
        return node, output
    end = operation.outputs[output]
    return _drawn_source(operation.graph, end.node, end.output_index, level + 1, max_depth)


def _drawn_sink(graph: Any, node: Any, index: int, level: int, max_depth: int | None) -> str:
    operation = graph.nodes[node]["operation"]
    if isinstance(operation, TorchModule) and (max_depth is None or level + 1 < max_depth):
        return str(operation.inputs[index].name)
    return f"{node.name}:${index}"


def visualize_edge(graphviz_graph: Any, graph: Any, edge: Any, max_depth: int | None, level: int) -> None:
    """Draws an edge (source, sink, key, data) between what is drawn of its ends."""
    source, sink, _, data = edge
    output, index = data["source_output_index"], data["sink_input_index"]
    drawn, port = _drawn_source(graph, source, output, level, max_depth)
    graphviz_graph.edge(f"{drawn.name}:#{port}", _drawn_sink(graph, sink, index, level, max_depth), label=f"{output} → {index}")


def _draw(
    picture: Any, graph: Any, max_depth: int | None, draw_node: Callable[..., Any], draw_edge: Callable[..., Any],
    verbose: bool, level: int,
) -> None:
    for node in sorted(graph):
        draw_node(picture, graph, node, max_depth, draw_node, draw_edge, level, verbose=verbose)
    for node in sorted(graph):
        for edge in graph.in_edges(node, data=True, keys=True):
            draw_edge(picture, graph, edge, max_depth, level)


def visualize(
    output: Any, *, show_modules: bool = True, max_depth: int | None = None, file_name: Any = None,
    graph_attr: dict[str, str] | None = None, node_attr: dict[str, str] | None = None,
    edge_attr: dict[str, str] | None = None, visualize_node: Callable[..., Any] = visualize_node,
    visualize_edge: Callable[..., Any] = visualize_edge, verbose: bool = False,
) -> Any:
    """A graphviz.Digraph of what `output`, a graph or traced tensors, comes from; in a file, too, if it has a name.

    show_modules=False: without the boxes of modules. max_depth: how many of them inside of each other. verbose: with the
    arguments of calls. Raises RuntimeError for a depth below 1 or one without modules, ValueError for a file that is no .svg,
    .png or .pdf.
    """
    if max_depth is not None and not show_modules:
        raise RuntimeError("max_depth is not supported without show_modules")
    if max_depth is not None and max_depth < 1:
        raise RuntimeError("max_depth must be greater than 0")
    path = None if file_name is None else pathlib.Path(file_name)
    if path is not None and path.suffix not in _SUFFIXES:
        raise ValueError(f"file_name must have a .svg, .png or .pdf suffix, not {path.suffix}")
    picture = graphviz.Digraph(
        graph_attr=graph_attr or {"rankdir": "TB", "ordering": "in", "fontname": "Helvetica"},
        node_attr=node_attr or {"shape": "box", "style": "filled", "fontsize": "10", "fontname": "Helvetica", "margin": "0"},
        edge_attr=edge_attr or {"fontsize": "9", "fontname": "Helvetica"},
    )
    graph = get_graph(output, flatten=not show_modules)
    _draw(picture, graph, max_depth, visualize_node, visualize_edge, verbose, 0)
    if path is not None:
        picture.render(path.with_suffix(""), format=path.suffix[1:])
    return picture
