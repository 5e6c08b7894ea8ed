# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Node lists for people: indented text, and pictures."""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Callable

from tilemeter import _tilemeter
from tilemeter._src.base.nodes import Node

if TYPE_CHECKING:
    import graphviz


_WIDTH = 50
_INDENT = 4
_FIXED_LABELS = {
    "capture_start": "Capture Start",
    "capture_end": "Capture End",
    "buffer": "Add Device Buffer",
    "buffer_allocate": "Allocate Device Buffer",
    "buffer_deallocate": "Deallocate Device Buffer",
    "circular_buffer_allocate": "Allocate Circular Buffer",
    "dataflow_buffer_allocate": "Allocate Dataflow Buffer",
    "scratchpad_allocate": "Allocate Kernel Scratchpad",
    "circular_buffer_deallocate_all": "Deallocate All Program-Scope L1",
}


def _label(node: Node) -> str:
    kind, params = node["node_type"], node["params"]
    if kind in _FIXED_LABELS:
        return _FIXED_LABELS[kind]
    if kind == "function_start":
        return f"Function Start: {params['name']}"
    if kind == "function_end":
        return f"Function End:   {params['name']}"
    if kind == "tensor":
        return f"Add Tensor: {params['tensor_id']}"
    if kind == "sub_device_manager":
        return f"Sub-Device Manager: {params['sub_device_manager_id']}"
    if kind == "program_execution":
        place = params.get("sub_device_id")
        return f"Program Execution: sub-device {'unresolved' if place is None else place}"
    raise ValueError(f"Unknown node type: {kind}")


def pretty_format(captured_graph: list[Node]) -> str:
    """One line per node, indented by open functions. Raises ValueError beyond 12 open functions."""
    lines = []
    depth = 0
    for node in captured_graph:
        if node["node_type"] == "function_end":
            depth = max(depth - 1, 0)
        width = _WIDTH - _INDENT * depth
        if width < 0:
            raise ValueError(f"too many open functions at node {node.get('counter')}: {depth}")
        lines.append(f"{' ' * (_INDENT * depth)}{_label(node):{width}}\n")
        depth += node["node_type"] == "function_start"
    return "".join(lines)


def pretty_print(captured_graph: list[Node]) -> None:
    """Prints the nodes of a capture, one a line, indented by level."""
    print(pretty_format(captured_graph))


def visualize_node(graphviz_graph: graphviz.Digraph, node: Node) -> None:
    """Draws one node: its type, and the name or tensor id."""
    label = node["node_type"]
    more = {"function_start": "name", "function_end": "name", "tensor": "tensor_id"}.get(label)
    if more is not None:
        label += f"\n{node['params'][more]}"
    graphviz_graph.node(f"node_{node['counter']}", label, fillcolor="#DCDCDC")


def visualize_edge(graphviz_graph: graphviz.Digraph, source_node_id: int, sink_node_id: int) -> None:
    """Draws the edge from one node to another."""
    graphviz_graph.edge(f"node_{source_node_id}", f"node_{sink_node_id}")


# By level; the blanks are TT-NN's, files are compared as text.
_LEVEL_COLORS = ("#0000ff80", "#ee00ee80   ", "#ff000080", "#eeee0080", "#00ff0080", "#00eeee80")


def visualize(
    captured_graph: list[Node],
    *,
    file_name: str | os.PathLike[str] | None = None,
    visualize_node: Callable[[graphviz.Digraph, Node], None] = visualize_node,
    visualize_edge: Callable[[graphviz.Digraph, int, int], None] = visualize_edge,
) -> graphviz.Digraph:
    """The call graph as a graphviz.Digraph; drawn into file_name (.svg, .png, .pdf) by Graphviz's program dot.

    Without dot an .svg is the call graph of `tilemeter svg`, the others raise graphviz.ExecutableNotFound. Raises ValueError for other suffixes and for functions that are still open at the end.
    """
    import graphviz

    graph = graphviz.Digraph(
        engine="dot",
        graph_attr={"ordering": "in", "rankdir": "TB"},
        node_attr={
            "style": "filled",
            "border": "1",
            "fontsize": "10",
            "ranksep": "0.1",
            "height": "0.2",
            "fontname": "Linux libertine",
            "margin": "0",
            "shape": "box",
        },
        edge_attr={"fontsize": "10"},
    )
    open_scopes: list[tuple[graphviz.Digraph, Any]] = []  # the surrounding graph of a scope, and the scope itself
    current = graph
    scopes = 0
    for node in captured_graph:
        if node["node_type"] == "function_start":
            scope = current.subgraph(name=f"subgraph_{scopes}")
            scopes += 1
            open_scopes.append((current, scope))
            current = scope.__enter__()
            current.attr(
                fontcolor="black",
                bgcolor=_LEVEL_COLORS[len(open_scopes) % len(_LEVEL_COLORS)],
                cluster="true",
                label=node["params"]["name"],
                rankdir="TB",
                shape="hexagon",
            )
            current.node_attr["style"] = "filled"
        visualize_node(current, node)
        if node["node_type"] == "function_end":
            current, scope = open_scopes.pop()
            scope.__exit__(None, None, None)
    if open_scopes:
        raise ValueError("Call stack not empty")
    for node in captured_graph:
        for connection in node["connections"]:
            visualize_edge(graph, node["counter"], connection)
    if file_name is not None:
        path = pathlib.Path(file_name)
        if path.suffix not in (".svg", ".png", ".pdf"):
            raise ValueError(f"file_name must have a .svg, .png or .pdf suffix, not {path.suffix}")
        _draw(graph, captured_graph, path)
    return graph


def _draw(graph: graphviz.Digraph, nodes: list[Node], path: pathlib.Path) -> None:
    """By dot, which leaves its source beside the picture; an .svg without it, then without a source."""
    import shutil
    import subprocess

    import graphviz

    source = path.with_suffix("")
    try:
        if shutil.which("dot") is None:
            raise graphviz.ExecutableNotFound(("dot",))
        graph.render(source, format=path.suffix[1:])
    except (graphviz.ExecutableNotFound, subprocess.CalledProcessError) as problem:
        if isinstance(problem, subprocess.CalledProcessError):
            source.unlink(missing_ok=True)
        if path.suffix != ".svg":
            raise
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_tilemeter.svg_of_nodes(json.dumps(nodes), path.name), encoding="utf-8")
