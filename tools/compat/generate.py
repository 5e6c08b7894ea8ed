#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Makes the headers of TT-NN's paths, and the functions that they declare, from tables of facts.

    usage: generate.py TABLES OUT       TABLES: the folder with functions/*.txt and paths.txt

functions/ROOM.txt: a line without an indent is the path of a header; below it stand its functions, each

    NAME[(OPERATION)] -> RESULT: PARAMETER...

NAME is below ttnn, OPERATION that of the operation where it is another one, a PARAMETER is WORD[:NAME][!][=DEFAULT]: the word
of its C++ type (PARAMETERS below), the name of the operation's parameter ("-": accepted without effect; none: the word without
its "?"), "!" for one that a caller must give although it may be none, and its default ("?" without one: none).
paths.txt: PATH: HEADER..., a header that includes others.

OUT/include has the headers, OUT/ROOM.cpp the functions, OUT/calls.txt the operation and the names of each call, OUT/forms.inc all
functions for a program that writes calls of them. Files that would not change are left alone.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import sys
from typing import NamedTuple

_TENSOR = "::ttnn::Tensor"
_METAL = "::tt::tt_metal::"
_UNARY = "::ttnn::operations::unary::"
_MATMUL = "::ttnn::operations::matmul::MatmulProgramConfig"
_COMPUTE = "::ttnn::ComputeKernelConfig"
_CONFIGS = re.compile(r"ttnn::(operations|ComputeKernelConfig|Softmax|LayerNorm|Conv|prim|experimental|Bcast|TileReshape)")


def _optional(kind: str, constant: bool = False) -> str:
    return f"std::optional<{'const ' if constant else ''}{kind}>"


def _by_reference(kind: str) -> str:
    return f"const {kind}&"


def _forms(word: str, kind: str) -> dict[str, str]:
    """A type by reference, and as an optional in the four forms that TT-NN has."""
    return {
        word: _by_reference(kind),
        f"{word}?": _by_reference(_optional(kind)),
        f"const_{word}?": _by_reference(_optional(kind, constant=True)),
        f"moved_{word}?": _optional(kind),
        f"moved_const_{word}?": _optional(kind, constant=True),
    }


def _values(word: str, kind: str) -> dict[str, str]:
    """The same of a type that is passed by value."""
    return _forms(word, kind) | {word: kind, f"{word}&": _by_reference(kind), f"{word}_inout": f"{kind}&"}


# The C++ types of parameters.
PARAMETERS: dict[str, str] = {
    **_forms("tensor", _TENSOR), "tensor_inout": f"{_TENSOR}&",
    **_forms("tensors", f"std::vector<{_TENSOR}>"),
    **_forms("optional_tensors", f"std::vector<std::optional<{_TENSOR}>>"),
    "two_tensors?": f"std::optional<std::tuple<{_TENSOR}&, {_TENSOR}&>>",
    "three_tensors?": f"std::optional<std::array<{_TENSOR}, 3>>",
    "const_three_tensors?": f"const std::optional<std::array<{_TENSOR}, 3>>&",
    "three_tensors_inout?": f"std::optional<std::array<{_TENSOR}, 3>>&",
    "complex": "const ::ttnn::operations::complex::ComplexTensor&",
    "tensor_or_float": f"const std::variant<{_TENSOR}, float>&",
    "tensor_or_int": f"const std::variant<{_TENSOR}, std::int32_t>&",
    "number_or_tensor": f"const std::variant<float, std::int32_t, {_TENSOR}>&",
    **_forms("uint_or_tensor", f"std::variant<std::uint32_t, {_TENSOR}>"),
    "tensor_or_tensors": f"const std::variant<{_TENSOR}, std::vector<{_TENSOR}>>&",
    **_forms("memory_config", _METAL + "MemoryConfig"),
    **_values("dtype", _METAL + "DataType"), **_values("layout", _METAL + "Layout"),
    "dtype?": f"const std::optional<{_METAL}DataType>&", "layout?": f"const std::optional<{_METAL}Layout>&",
    **_forms("shape", _METAL + "Shape"), "spec": f"const {_METAL}TensorSpec&",
    **_forms("cores", _METAL + "CoreRangeSet"), "core": f"const {_METAL}CoreCoord&",
    "core_or_cores": f"const std::variant<{_METAL}CoreCoord, {_METAL}CoreRangeSet>&",
    **_forms("core_grid", "::ttnn::types::CoreGrid"), "core_grid?": "std::optional<::ttnn::types::CoreGrid>",
    "functions": f"std::span<const {_UNARY}EltwiseUnaryWithParam>",
    "function_list": f"const std::vector<{_UNARY}EltwiseUnaryWithParam>&",
    "float_function?": f"std::optional<{_UNARY}BasicUnaryWithParam<float>>",
    "function?": f"const std::optional<{_UNARY}EltwiseUnaryWithParam>&",
    "activation?": f"const std::optional<const std::variant<std::string, {_UNARY}BasicUnaryWithParam<float>>>&",
    **_forms("sub_device", _METAL + "SubDeviceId"),
    "queue?": "std::optional<::ttnn::QueueId>",
    **_values("bool", "bool"), **_values("float", "float"), **_values("int", "int"), **_values("uint", "std::uint32_t"),
    **_values("long", "std::int64_t"), "float?": "std::optional<float>", "uint?": "std::optional<std::uint32_t>",
    "const_uint?": "const std::optional<std::uint32_t>&", "long?": "std::optional<std::int64_t>",
    "size?": "std::optional<std::size_t>", "ushort": "std::uint16_t", "small_int": "std::int8_t",
    "number": "std::variant<std::uint32_t, std::int32_t, float>", "uint_or_float": "std::variant<std::uint32_t, float>",
    "float_or_int": "std::variant<float, std::int32_t>", "any_number": "std::variant<float, std::int32_t, std::uint32_t>",
    "float_or_int?": "std::optional<std::variant<float, std::int32_t>>",
    "uint_or_float?": "const std::optional<std::variant<std::uint32_t, float>>&",
    **_forms("compute", _COMPUTE),
    "bools": "const std::vector<bool>&", "uints": "const std::vector<std::uint32_t>&", "floats": "const std::vector<float>&",
    "few_uints": "const ttsl::SmallVector<std::uint32_t>&", "few_ints": "const ttsl::SmallVector<std::int32_t>&",
    "few_longs": "const ttsl::SmallVector<std::int64_t>&", "few_longs_inout": "ttsl::SmallVector<std::int64_t>&",
    "int_span": "std::span<const std::int32_t>", "uint_span": "std::span<const std::uint32_t>",
    "few_uints?": "const std::optional<ttsl::SmallVector<std::uint32_t>>&",
    "scale_factor": "std::variant<int, std::array<int, 2>, float, std::array<float, 2>>",
    "embeddings_type": "::ttnn::prim::EmbeddingsType", "moved_const_memory_layout?": f"std::optional<const {_METAL}TensorMemoryLayout>",
    "pool_slice?": "const std::optional<::ttnn::Conv2dSliceConfig>&",
    "mesh_mapper?": f"const std::optional<{_METAL}distributed::MeshMapperConfig>&", "pairs": "const ttsl::SmallVector<std::array<std::uint32_t, 2>>&",
    "two_uints": "std::array<std::uint32_t, 2>", "two_uints&": "const std::array<std::uint32_t, 2>&",
    "three_uints&": "const std::array<std::uint32_t, 3>&", "four_uints&": "const std::array<std::uint32_t, 4>&",
    "one_float&": "const std::array<float, 1>&",
    "padding": "std::variant<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 4>>",
    "padding_3d": "std::variant<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 4>, std::array<std::uint32_t, 6>>",
    "two_uints_or_uint": "std::variant<std::array<std::uint32_t, 2>, std::uint32_t>",
    "dims?": "const std::optional<std::variant<int, std::int64_t, ttsl::SmallVector<int>>>&",
    "long_dims?": "const std::optional<std::variant<std::int64_t, ttsl::SmallVector<std::int64_t>>>&",
    "moved_long_dims?": "std::optional<std::variant<std::int64_t, ttsl::SmallVector<std::int64_t>>>",
    **_forms("text", "std::string"),
    **_forms("semaphores", f"std::vector<{_METAL}GlobalSemaphore>"), **_forms("semaphore", _METAL + "GlobalSemaphore"),
    "core?": f"const std::optional<{_METAL}CoreCoord>&", "core_list": f"const std::vector<{_METAL}CoreCoord>&",
    "worker_mode": "::ttnn::operations::experimental::ccl::WorkerMode",
    "dispatch_algorithm": "::ttnn::operations::experimental::ccl::DispatchAlgorithm",
    "moe_activation?": "const std::optional<::ttnn::experimental::prim::detail::MoEActivationFunction>&",
    "fidelity": _METAL + "MathFidelity", "topology_ref?": "const std::optional<::tt::tt_fabric::Topology>&",
    "layer_norm_any": "const ::ttnn::prim::LayerNormProgramConfig&", "const_float?": "const std::optional<float>&",
    "place": f"const {_METAL}distributed::MeshCoordinate&",
    **_forms("two_tensor_list", f"std::array<{_TENSOR}, 2>"),
    "topology": "::tt::tt_fabric::Topology", "topology?": "std::optional<::tt::tt_fabric::Topology>",
    "device?": f"std::optional<std::reference_wrapper<{_METAL}distributed::MeshDevice>>",
    "device*": f"{_METAL}distributed::MeshDevice*", "device&": f"{_METAL}distributed::MeshDevice&",
    "const_device&": f"const {_METAL}distributed::MeshDevice&", "device*?": f"std::optional<{_METAL}distributed::MeshDevice*>",
    **_forms("layer_norm", "::ttnn::LayerNormProgramConfig"), "layer_norm?": "const std::optional<const ::ttnn::LayerNormProgramConfig>&",
    "softmax_config": "const ::ttnn::SoftmaxProgramConfig&",
    "paged_geometry?": "std::optional<::ttnn::operations::transformer::PagedCacheGeometryOverride>",
    "pad_dims": "const ttsl::SmallVector<::ttnn::operations::data_movement::PadSpecDim>&",
    "softmax_op": "::ttnn::operations::moreh::moreh_softmax::MorehSoftmaxOp",
    "softmax_strategy": "::ttnn::operations::moreh::moreh_softmax::MorehSoftmaxOpParallelizationStrategy",
    "softmax_bw_op": "::ttnn::operations::moreh::moreh_softmax_backward::MorehSoftmaxBackwardOp",
    "softmax_bw_strategy": "::ttnn::operations::moreh::moreh_softmax_backward::MorehSoftmaxBackwardOpParallelizationStrategy",
    "pipes": f"const std::vector<std::shared_ptr<{_METAL}experimental::PrefetcherPipe>>&",
    "reduce_type": "::reduction_common::ReduceType", "moved_memory_config": _METAL + "MemoryConfig",
    "indexer": "const ::ttnn::operations::experimental::indexer_score::IndexerScoreProgramConfig&",
    "uints?": "const std::optional<std::vector<std::uint32_t>>&",
    **_values("sdpa", "::ttnn::operations::transformer::SDPAProgramConfig"),
    "conv2d?": "const std::optional<const ::ttnn::Conv2dConfig>&", "slice?": "const std::optional<const ::ttnn::Conv2dSliceConfig>&",
    "conv3d?": "const std::optional<::ttnn::experimental::prim::Conv3dConfig>&",
    "minimal_matmul?": "const std::optional<const ::ttnn::experimental::prim::MinimalMatmulConfig>&",
    **_forms("matmul", _MATMUL),
    "gelu_variant": _UNARY + "GeluVariant", "sigmoid_mode": _UNARY + "SigmoidMode",
    "loss_mode": "::ttnn::operations::loss::LossReductionMode", "bcast_math": "::ttnn::BcastOpMath",
    "bcast_dim": "::ttnn::BcastOpDim", "reshape_mode": "::ttnn::TileReshapeMapMode",
    "memory_layout": _METAL + "TensorMemoryLayout", "orientation": _METAL + "ShardOrientation",
    "fidelity?": f"std::optional<{_METAL}MathFidelity>", "tile": _METAL + "Tile", "tile?": f"const std::optional<const {_METAL}Tile>&",
    "global_buffer?": f"const std::optional<const {_METAL}experimental::GlobalCircularBuffer>&",
    "mesh_places?": f"const std::optional<const std::set<{_METAL}distributed::MeshCoordinate>>&",
}
# The C++ types of results.
RESULTS: dict[str, str] = {
    "tensor": _TENSOR,
    "tensors": f"std::vector<{_TENSOR}>",
    "optional_tensors": f"std::vector<std::optional<{_TENSOR}>>",
    "two_tensors": f"std::tuple<{_TENSOR}, {_TENSOR}>",
    "three_tensors": f"std::tuple<{_TENSOR}, {_TENSOR}, {_TENSOR}>",
    "three_of_tensors": f"std::array<{_TENSOR}, 3>",
    "two_of_tensors": f"std::array<{_TENSOR}, 2>",
    "complex": "::ttnn::operations::complex::ComplexTensor",
    "complexes": "std::vector<::ttnn::operations::complex::ComplexTensor>",
    "conv1d": "::ttnn::Conv1dResult",
    "conv2d": "::ttnn::Conv2dResultWithOptions",
    "pooled": "std::variant<::ttnn::Tensor, ::ttnn::MaxPoolWithIndicesResult>",
    "void": "void",
}


class Parameter(NamedTuple):
    kind: str
    name: str  # of the operation's parameter; "-": none
    default: str | None


class Function(NamedTuple):
    namespace: str  # below ttnn, or none
    name: str
    operation: str
    result: str
    parameters: list[Parameter]

    def signature(self, defaults: bool) -> str:
        parts = []
        for each in self.parameters:
            name = "" if each.name == "-" else f" {_safe(each.name)}"
            parts.append(f"{each.kind}{name}" + (f" = {each.default}" if defaults and each.default is not None else ""))
        return f"{self.name}({', '.join(parts)})"


def _safe(name: str) -> str:
    return f"{name}_" if name in {"from", "to", "inplace", "default"} else name


class TableError(Exception):
    """A line of a table that says nothing, with its place."""


def _parameter(text: str, where: str) -> Parameter:
    head, _, default = text.partition("=")
    required = head.endswith("!")
    word, _, name = head.removesuffix("!").partition(":")
    kind = PARAMETERS.get(word)
    if kind is None:
        raise TableError(f"{where}: expected the word of a type, found '{word}'")
    value: str | None = default or ("std::nullopt" if word.endswith("?") and not required else None)
    return Parameter(kind, name or word.removesuffix("?"), value)


def _function(text: str, where: str) -> Function:
    match = re.fullmatch(r"([\w:]+)(?:\(([\w:]+)\))? -> (\w+):(.*)", text)
    if match is None or match[3] not in RESULTS:
        raise TableError(f"{where}: expected NAME -> RESULT: PARAMETER..., found '{text}'")
    namespace, _, name = match[1].rpartition("::")
    parameters = [_parameter(each, where) for each in match[4].split()]
    return Function(namespace, name, match[2] or match[1], RESULTS[match[3]], parameters)


def read_functions(path: pathlib.Path) -> dict[str, list[Function]]:
    """The functions of a table, by the headers' paths."""
    found: dict[str, list[Function]] = {}
    logical: list[tuple[int, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("        ") and logical:
            logical[-1] = (logical[-1][0], f"{logical[-1][1]} {line.strip()}")
        else:
            logical.append((number, line.rstrip()))
    header = ""
    for number, line in logical:
        where = f"{path.name}:{number}"
        if line.startswith("    "):
            if not header:
                raise TableError(f"{where}: expected the path of a header first")
            found[header].append(_function(line.strip(), where))
        else:
            header = line
            found.setdefault(header, [])
    return found


# What tells that a standard header is needed, where it is another word than its name.
_HEADER_WORDS = {"cstdint": "int", "functional": "reference_wrapper", "memory": "shared_ptr"}

_LICENSE = "// SPDX-FileCopyrightText: 2026 tilemeter contributors\n// SPDX-License-Identifier: Apache-2.0\n"


def _in_namespaces(functions: list[Function], text: dict[int, str]) -> str:
    """The functions' texts, each in its namespace."""
    parts: list[str] = []
    inside: str | None = None
    for number, each in enumerate(functions):
        name = "ttnn" + (f"::{each.namespace}" if each.namespace else "")
        if name != inside:
            parts += ([f"}}  // namespace {inside}\n"] if inside else []) + [f"namespace {name} {{"]
            inside = name
        parts.append(text[number])
    return "\n".join([*parts, f"}}  // namespace {inside}"]) + "\n"


def header_text(path: str, functions: list[Function], more: list[str]) -> str:
    """A header that declares these functions."""
    declarations = {i: f"{each.result} {each.signature(defaults=True)};" for i, each in enumerate(functions)}
    used = " ".join(declarations.values())
    headers = ["tilemeter_ttnn/tensor.hpp"]
    headers += ["tilemeter_ttnn/configs.hpp"] if _CONFIGS.search(used) else []
    headers += ["tilemeter_ttnn/semaphore.hpp"] if re.search("GlobalSemaphore|GlobalCircular|PrefetcherPipe", used) else []
    headers += ["tilemeter_ttnn/mapping.hpp"] if "MeshMapper" in used else []
    headers += ["tilemeter_ttnn/results.hpp"] if re.search(r"Result|complex::", used) else []
    standard = ["array", "cstdint", "functional", "memory", "optional", "set", "span", "string", "tuple", "variant", "vector"]
    needed = [each for each in standard if f"std::{_HEADER_WORDS.get(each, each)}" in used]
    lines = [_LICENSE, f"// Generated from the table of {path}.\n\n#pragma once\n"]
    lines += [f"#include <{each}>" for each in needed] + ([""] if needed else [])
    lines += [f'#include "{each}"' for each in sorted({*headers, *more})] + [""]
    text = "\n".join(lines) + "\n"
    if functions:
        text += _in_namespaces(functions, declarations)
    # What TT-NN has in a namespace of its own and names again in ttnn.
    again = sorted({f"using {each.namespace}::{each.name};" for each in functions if each.namespace.startswith("operations::")})
    if again:
        text += "\nnamespace ttnn {\n" + "\n".join(again) + "\n}  // namespace ttnn\n"
    return text


def source_text(functions: list[Function], headers: list[str]) -> str:
    """The definitions of these functions: calls of operations by the names of their parameters."""
    bodies = {}
    for number, each in enumerate(functions):
        arguments = ",\n                 ".join(
            f'{{"{parameter.name}", to_argument({_safe(parameter.name)})}}'
            for parameter in each.parameters if parameter.name != "-")
        bodies[number] = (f"{each.result} {each.signature(defaults=False)} {{\n    return returned<{each.result}>(\n"
                          f'        call("{each.operation}",\n                {{{arguments}}}));\n}}')
    includes = "\n".join(f'#include "{each}"' for each in [*sorted(headers), "tools/compat/src/arguments.hpp"])
    using = "\nusing tilemeter::compat::call;\nusing tilemeter::compat::returned;\nusing tilemeter::compat::to_argument;\n"
    return f"{_LICENSE}\n{includes}\n{using}\n{_in_namespaces(functions, bodies)}"


def forms_text(by_path: dict[str, list[Function]]) -> str:
    """A string of C++ with a line for each function: HEADER|RESULT|NAME|OPERATION, then TYPE;NAME;DEFAULT of each parameter, \"!\" for
    the default of one that has to be given."""
    lines = []
    for path, functions in by_path.items():
        for each in functions:
            # What TT-NN has in a namespace of its own and names again in ttnn goes by its short name.
            space = "" if each.namespace.startswith("operations::") else each.namespace
            name = "::".join(["ttnn", *([space] if space else []), each.name])
            parameters = [f"{p.kind};{p.name};{'!' if p.default is None else p.default}" for p in each.parameters]
            lines.append("|".join([path, each.result, name, each.operation, *parameters]))
    # Compilers take strings of 64 KiB, several of which are one.
    pieces = [lines[i : i + 64] for i in range(0, len(lines), 64)]
    return "".join('R"forms(' + "\n".join(piece) + '\n)forms"\n' for piece in pieces)


def _write(path: pathlib.Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def read_paths(path: pathlib.Path) -> dict[str, list[str]]:
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, headers = line.partition(":")
        if not colon:
            raise TableError(f"{path.name}:{number}: expected PATH: HEADER..., found '{line}'")
        found[name.strip()] = headers.split()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", metavar="TABLES", type=pathlib.Path)
    parser.add_argument("out", metavar="OUT", type=pathlib.Path)
    options = parser.parse_args()
    tables, out = options.tables, options.out
    if not (tables / "functions").is_dir():
        parser.error(f"{tables}: expected a folder with functions/*.txt and paths.txt")
    try:
        rooms = {path.stem: read_functions(path) for path in sorted((tables / "functions").glob("*.txt"))}
        paths = read_paths(tables / "paths.txt")
    except TableError as error:
        print(f"generate: {error}", file=sys.stderr)
        return 1
    by_path: dict[str, list[Function]] = {}
    for room in rooms.values():
        for path, functions in room.items():
            by_path.setdefault(path, []).extend(functions)
    if "ttnn/operations/functions.hpp" in paths:
        paths["ttnn/operations/functions.hpp"] += sorted(by_path)
    for path in sorted({*by_path, *paths}):
        _write(out / "include" / path, header_text(path, by_path.get(path, []), paths.get(path, [])))
    calls = sorted({" ".join([each.operation, *(p.name for p in each.parameters if p.name != "-")])
                    for functions in by_path.values() for each in functions})
    _write(out / "forms.inc", forms_text(by_path))
    _write(out / "calls.txt", "".join(f"{each}\n" for each in calls))
    for name, room in rooms.items():
        all_functions = [each for functions in room.values() for each in functions]
        _write(out / f"{name}.cpp", source_text(all_functions, list(room)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
