# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Each argument of each operation with a value that is not its default, and what a capture says of the call.

    argument_cases.py OUT.json     under TT-NN 0.81.1 (on a mock n150): records data/arguments.json

The operations are those of data/signatures.json for which a call with simple tensors can be made of the parameters' names;
the same call, with one argument more, is a case. What is kept of a call: tree, buffers (types and sizes), program memory,
results. Test and recording run this same code, so the cases of both are the same.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import sys
from typing import Any, Callable, Iterator

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
SIGNATURES: dict[str, Any] = json.loads((DATA / "signatures.json").read_text())
PIECES = ("circular_buffer_allocate", "dataflow_buffer_allocate", "scratchpad_allocate")

# Needed for a call: by the parameter's name.
_TENSORS = frozenset(
    "input_tensor input input_a input_b input_tensor_a input_tensor_b input_tensor_c grad_tensor tensor other operand1 operand2 "
    "true_value value_tensor weight end".split()
)
_NUMBERS: dict[str, Any] = {
    "dim": -1, "scalar": 2.0, "value": 2.0, "alpha": 2.0, "exponent": 2.0, "k": 32, "repeats": 2, "fill_value": 2.0, "min": 0.0,
    "max": 1.0, "rounding_mode": None, "dim0": -2, "dim1": -1, "shape": [1, 1, 64, 64], "padding": [(0, 0), (0, 0), (0, 32), (0, 0)],
    "dims": [0, 1, 3, 2], "repeat_dims": [1, 1, 2, 1], "slice_start": [0, 0, 0, 0], "slice_end": [1, 1, 32, 32], "eps": 0.1,
    "angle": 30.0, "diagonal": 0, "lambd": 0.5, "threshold": 0.5, "negative_slope": 0.1, "num_heads": 2, "split_size": 32,
    "chunks": 2, "shifts": 1, "low": 0.0, "high": 1.0, "start": 0, "step": 1, "layout": "TILE", "dtype": "bfloat16",
}
# Operations that are no calls on tensors alone, or take long.
_SKIPPED = ("moreh", "async", "deepseek", "test_", "to_torch", "dump", "load", "plus_one", "deallocate", "move", "rand")


def tensor(ttnn: Any, device: Any, dtype: str = "bfloat16", memory: str = "DRAM") -> Any:
    """64 x 64 in tiles."""
    config = ttnn.L1_MEMORY_CONFIG if memory == "L1" else ttnn.DRAM_MEMORY_CONFIG
    return ttnn.ones(
        [1, 1, 64, 64], dtype=getattr(ttnn, dtype), layout=ttnn.TILE_LAYOUT, device=device, memory_config=config
    )


def cores(ttnn: Any, x: int, y: int) -> Any:
    return ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(x, y))])


def other_values(ttnn: Any, device: Any, name: str, default: str | None) -> list[tuple[str, Any]]:
    """Values that are not the default, with what the recording calls them."""
    known: dict[str, list[tuple[str, Callable[[], Any]]]] = {
        "memory_config": [("L1", lambda: ttnn.L1_MEMORY_CONFIG)],
        "output_memory_config": [("L1", lambda: ttnn.L1_MEMORY_CONFIG)],
        "dtype": [("float32", lambda: ttnn.float32), ("int32", lambda: ttnn.int32)],
        "output_dtype": [("float32", lambda: ttnn.float32)],
        "output_tensor": [("64x64", lambda: tensor(ttnn, device))],
        "optional_output_tensor": [("64x64", lambda: tensor(ttnn, device))],
        "sub_core_grids": [("2x2", lambda: cores(ttnn, 1, 1))],
        "sub_core_grid": [("2x2", lambda: cores(ttnn, 1, 1))],
        "core_grid": [("2x2", lambda: ttnn.CoreGrid(x=2, y=2))],
        "compute_kernel_config": [
            ("fp32", lambda: ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi2, fp32_dest_acc_en=True))
        ],
        "activations": [("relu", lambda: [ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)])],
        "input_tensor_a_activations": [("relu", lambda: [ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)])],
        "input_tensor_b_activations": [("relu", lambda: [ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)])],
        "activation": [("relu", lambda: "relu")],
        "bias": [("64x64", lambda: tensor(ttnn, device))],
        "residual_input_tensor": [("64x64", lambda: tensor(ttnn, device))],
        "output_tile": [("16x32", lambda: ttnn.Tile((16, 32)))],
        "input_grad": [("64x64", lambda: tensor(ttnn, device))],
        "other_grad": [("64x64", lambda: tensor(ttnn, device))],
        "input_a_grad": [("64x64", lambda: tensor(ttnn, device))],
        "input_b_grad": [("64x64", lambda: tensor(ttnn, device))],
        "are_required_outputs": [("first", lambda: [True, False])],
    }
    if name in known:
        return [(text, make()) for text, make in known[name]]
    if default in ("True", "False"):
        return [(str(default == "False"), default == "False")]
    try:
        number = json.loads(default or "")
    except ValueError:
        return [(str(_NUMBERS[name]), _NUMBERS[name])] if isinstance(_NUMBERS.get(name), (int, float)) else []
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return []
    return [(str(number + 1), number + 1)]


def function_of(ttnn: Any, name: str) -> Any:
    found: Any = ttnn
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def base_call(ttnn: Any, device: Any, overload: Any) -> dict[str, Any] | None:
    """Arguments for what the overload needs; none: a parameter's name says too little."""
    given: dict[str, Any] = {}
    for name, _, default in overload:
        if default is not None:
            continue
        if name in _TENSORS:
            given[name] = tensor(ttnn, device)
        elif name in _NUMBERS:
            value = _NUMBERS[name]
            given[name] = {"TILE": ttnn.TILE_LAYOUT, "bfloat16": ttnn.bfloat16}.get(value, value) if isinstance(value, str) else value
        elif name == "tensors":
            given[name] = [tensor(ttnn, device), tensor(ttnn, device)]
        else:
            return None
    return given


def facts(ttnn: Any, call: Callable[[], Any]) -> list[Any] | str:
    """The facts that a NORMAL and a NO_DISPATCH capture say of the call, or the message of its refusal."""
    found: list[Any] = []
    for mode in (ttnn.graph.RunMode.NORMAL, ttnn.graph.RunMode.NO_DISPATCH):
        ttnn.graph.begin_graph_capture(mode)
        error, result = None, None
        try:
            result = call()
        except Exception as problem:
            error = f"{type(problem).__name__}: {problem}"
        nodes = ttnn.graph.end_graph_capture()
        if error is not None:
            return error
        if mode == ttnn.graph.RunMode.NORMAL:
            found.append([node["params"]["name"] for node in nodes if node["node_type"] == "function_start"])
            found.append([
                (node["node_type"], node["params"]["type"], int(node["params"]["size"])) for node in nodes
                if node["node_type"] in ("buffer_allocate", "buffer_deallocate")
            ])
            found.append([
                (list(each.shape), each.dtype.name, each.layout.name, str(each.memory_config().buffer_type).split(".")[-1])
                for each in (result if isinstance(result, (list, tuple)) else [result]) if isinstance(each, ttnn.Tensor)
            ])
        else:
            found.append([
                (node["node_type"], int(node["params"]["size"]), node["params"]["core_range_set"]) for node in nodes
                if node["node_type"] in PIECES
            ])
        del result
    return found


def short(found: list[Any] | str) -> str:
    """A refusal as its first words, facts as a number."""
    if isinstance(found, str):
        return "refused"
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()[:12]


def cases(ttnn: Any, device: Any, names: Any = None) -> Iterator[tuple[str, str, str, Callable[[], Any]]]:
    """Operation, argument, value, call; first of each operation the call without more arguments: "", ""."""
    for name, overloads in SIGNATURES.items() if names is None else ((each, SIGNATURES[each]) for each in names):
        function = function_of(ttnn, name)
        if function is None or any(part in name for part in _SKIPPED):
            continue
        for overload in overloads:
            base = base_call(ttnn, device, overload)
            if not base or not any(isinstance(each, (ttnn.Tensor, list)) for each in base.values()):
                continue
            yield name, "", "", lambda: function(**base)
            for parameter, _, default in overload:
                if parameter in base and parameter not in ("dim",):
                    continue
                for text, value in other_values(ttnn, device, parameter, default):
                    yield name, parameter, text, lambda: function(**{**base, parameter: value})
            break


def main() -> None:
    import ttnn

    device = ttnn.open_device(device_id=0)
    found: dict[str, dict[str, str]] = {}
    skipped = None
    for name, parameter, value, call in cases(ttnn, device):
        if name == skipped:
            continue
        taken = facts(ttnn, call)
        if parameter == "" and isinstance(taken, str):
            skipped = name
            continue
        found.setdefault(name, {})[f"{parameter}={value}" if parameter else ""] = short(taken)
    lines = [f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found.items()]
    pathlib.Path(sys.argv[1]).write_text("{\n" + ",\n".join(lines) + "\n}\n")
    ttnn.close_device(device)


if __name__ == "__main__":
    main()
