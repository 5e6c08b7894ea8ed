#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The sources of the documentation in one folder: all documents with what they show and link to, and the generated references.

    usage: tools/documentation/sources.py FOLDER       FOLDER/sources and FOLDER/doxygen are made anew

Documents keep their places, so that their links lead where they lead in the repository. The reference of the verbs is what
the programs print as help, that of Python is asked of the modules, that of C++ is doxygen's of the headers in HEADERS.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import pathlib
import re
import shutil
import subprocess
import sys
from typing import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
REFERENCE = pathlib.PurePath("tools/documentation/reference")

# The headers of a program by the questions that they answer; beside them those of operations, which their families name.
HEADERS = {
    "capture": [
        "capture/graph/graph_processor.hpp", "capture/graph/captured_graph.hpp", "capture/record/detail.hpp",
        "capture/graph/step_capture.hpp", "capture/graph/planned_replay.hpp", "capture/graph/node_fields.hpp",
    ],
    "recorder": [
        f"capture/record/{name}.hpp" for name in (
            "recorder", "run_mode", "context", "device_info", "placement", "tensor_info", "stack", "modules", "listener", "window",
            "crash",
        )
    ] + ["capture/recordings/recording_reader.hpp", "capture/log/log.hpp"],
    "report": ["report/report_writer.hpp", "report/report_reader.hpp", "report/recover.hpp", "report/result.hpp"],
    "analysis": [
        "report/analysis/nodes/load.hpp", "report/analysis/answers/verdict.hpp", "report/analysis/answers/peak.hpp",
        "report/analysis/answers/explain.hpp", "report/analysis/answers/tightest.hpp", "report/analysis/answers/call_tree.hpp",
        "report/analysis/answers/timeline.hpp", "report/analysis/memory/memory_lifetimes.hpp",
    ],
    "gate": [
        "report/analysis/gate/fit.hpp", "report/analysis/gate/fit_workload.hpp", "report/analysis/gate/peak_sizes.hpp",
        "report/analysis/gate/gate.hpp", "report/analysis/gate/compare.hpp",
    ],
    "visualizer_import": ["visualizer_import/import_reports.hpp", "visualizer_import/database_summary.hpp"],
    "render": [
        f"report/render/{name}.hpp" for name in (
            "html_page", "memory_page", "graph_page", "graph_picture", "svg_graph", "trace_events", "verdict_render", "peak_render",
            "explain_render", "call_render", "timeline_render", "diff_render", "check_render", "sizes_render", "figures_render",
        )
    ],
    "foreign": [
        f"report/foreign/{name}.hpp" for name in (
            "compiled_program", "binary_program", "mlir_program", "torch/snapshot", "torch/recording", "torch/export", "xla/assignment",
            "xla/recording",
        )
    ],
    "ttnn": [
        f"tools/compat/include/tilemeter_ttnn/{name}.hpp" for name in (
            "core_functions", "tensor", "tensor_spec", "memory_config", "core_coord", "shape", "host_buffer", "mesh_device", "mesh",
            "mapping", "semaphore", "configs", "results", "graph/graph",
        )
    ],
    "runtime": [
        "runtime/device/device.hpp", "runtime/device/device_description.hpp", "runtime/device/buffer.hpp", "runtime/device/errors.hpp",
        "runtime/device/metal_trace.hpp", "runtime/device/program_cache.hpp", "runtime/tensor/tensor.hpp",
        "runtime/types/memory_config.hpp", "runtime/types/core_range.hpp", "runtime/types/tensor_spec.hpp", "runtime/types/dtype.hpp",
        "runtime/types/shape.hpp",
    ],
    "query": [f"runtime/query/{name}.hpp" for name in ("query", "program", "placement", "allocator_state")],
    "trace": [
        f"runtime/trace/{name}.hpp" for name in (
            "arrays/array", "arrays/functions", "arrays/methods", "arrays/random", "arrays/control_flow", "arrays/trace", "arrays/jit",
            "arrays/lazy", "derivatives/derivatives", "derivatives/transforms", "derivatives/vmap", "calls/custom_operation",
            "calls/evaluate", "calls/lower", "calls/simplify", "export/stablehlo", "export/tripy", "primitives/error",
        )
    ],
    "trace_device": [
        f"runtime/trace/device/{name}.hpp" for name in (
            "place/place", "place/placed_size", "recompute/policy", "recompute/recompute", "recompute/plan_search",
            "gradients/gradient_record", "record/traced_program", "replay/executable", "replay/hazards", "replay/metal_trace_hazards",
            "rules/lower_ttnn",
        )
    ],
    "ir": [
        f"capture/ir/{name}.hpp" for name in (
            "graph", "operation_set", "type", "shape", "dimension", "element_type", "constant", "attributes", "control", "effects",
            "text", "file", "verify", "passes/passes", "passes/compare", "error",
        )
    ],
}

# The modules that users name and that need no package beside those of the documentation. What `import tilemeter` offers and none of
# them has is on a page of its own: types, functions, operations.
MODULES = [
    f"tilemeter.{name}" for name in (
        "graph", "trace", "device", "attach", "as_ttnn", "conformance", "graph_report", "demo", "torch", "jax_tt", "fleet", "cluster",
        "comparison", "config_serialization", "decorators", "distributed", "graph_tracer_utils", "profiler", "program_descriptor",
        "reflection", "tracy",
    )
]

DOXYGEN = """
PROJECT_NAME = tilemeter
OUTPUT_DIRECTORY = "{folder}"
INPUT = {headers}
STRIP_FROM_PATH = "{folder}/headers"
STRIP_FROM_INC_PATH = "{folder}/headers"
FULL_PATH_NAMES = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
EXTRACT_ALL = YES
EXCLUDE_SYMBOLS = *::internal *::internal::* std_hash*
# What takes more than a line is code. Defaults stay.
MAX_INITIALIZER_LINES = 1
MACRO_EXPANSION = YES
AUTOLINK_SUPPORT = NO
HAVE_DOT = NO
QUIET = YES
WARN_IF_UNDOCUMENTED = NO
WARN_AS_ERROR = FAIL_ON_WARNINGS
"""


def documents() -> Iterator[pathlib.Path]:
    # Folders of builds and dist are not entered: others' files come and go there.
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("[!.bd]*/**/*.md")]):
        if not any(part.startswith((".", "build")) or part == "dist" for part in path.relative_to(ROOT).parts):
            yield path


def copy_documents(sources: pathlib.Path) -> None:
    wanted = {ROOT / "LICENSE", *(ROOT / "tools/examples").iterdir()}
    for document in documents():
        linked = (document.parent / link for link in LINK.findall(document.read_text(encoding="utf-8")) if ":" not in link)
        wanted |= {document, *(pathlib.Path(path).resolve() for path in linked if path.is_file())}
    for path in wanted:
        if path.is_file():
            place = sources / path.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def write(sources: pathlib.Path, name: str, *parts: str) -> None:
    path = sources / REFERENCE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts) + "\n", encoding="utf-8")


def titled(title: str, line: str = "=") -> str:
    return f"{title}\n{line * len(title)}\n"


def indented(text: str) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())


# ---- verbs


def help_of(*command: str) -> str:
    return subprocess.run([str(ROOT / "build/bin" / command[0]), *command[1:]], check=True, capture_output=True, text=True).stdout


def write_verbs(sources: pathlib.Path) -> None:
    parts = [
        titled("Verbs"),
        "``tilemeter VERB REPORT``: each with the help that the program prints. What each counts, and what it cannot know, is told in",
        ":doc:`/report/analysis/ANSWERS`; exit statuses in :doc:`/tools/PROGRAMS`, the objects of ``--json`` in",
        ":doc:`/tools/tilemeter/JSON`.", "",
    ]
    listed = help_of("tilemeter", "--help").partition("Subcommands:")[2]
    for verb in re.findall(r"^  ([a-z_-]+) ", listed, re.MULTILINE):
        what, _, rest = help_of("tilemeter", "help", verb).partition("\n")
        parts += [titled(verb, "-"), escaped(what), "", "::", "", indented(rest.partition("\nExit status:")[0])]
    program = help_of("graph_report", "--help")
    parts += [titled("graph_report", "-"), "The importer, a program of its own::", "", indented(program.replace(str(ROOT) + "/", ""))]
    write(sources, "verbs/all.rst", *parts)


# ---- Python


def escaped(text: str) -> str:
    """Prose as reStructuredText that says the same: only names in backticks are set apart."""
    parts = re.split(r"(`+[^`]+`+)", text)
    for at, part in enumerate(parts):
        parts[at] = f"``{part.strip('`')}``" if at % 2 else re.sub(r"([\\*|`<])|_(?=\W|$)", lambda found: "\\" + found[0], part)
    return "".join(parts)


def of_docstring(text: str) -> list[str]:
    """A docstring as reStructuredText. Paragraphs that are indented are code or tables of names, and stay as they are."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        first, *rest = paragraph.split("\n")
        if first.startswith(" "):
            lines += ["::", "", *indented(paragraph).splitlines(), ""]
        elif rest and all(line.startswith(" ") for line in rest):  # a heading with its rows
            lines += [escaped(first), "", "::", "", *indented("\n".join(rest)).splitlines(), ""]
        elif any(line.startswith(" ") for line in rest):
            lines += ["::", "", *indented(paragraph).splitlines(), ""]
        else:
            lines += [*escaped(paragraph).split("\n"), ""]
    return lines


def is_operation(value: object) -> bool:
    return type(value).__name__ == "Operation"


def offered(module: object) -> Iterator[tuple[str, object]]:
    """The package's names in a module, but for operations, which have a page of their own."""
    for name in sorted(set(dir(module))):
        value = getattr(module, name)
        ours = (getattr(value, "__module__", None) or "").startswith("tilemeter")
        if ours and not name.startswith("_") and not is_operation(value):
            yield name, value


def write_python(sources: pathlib.Path) -> None:
    described: set[int] = set()  # classes and functions; a class is on one page alone
    write_types(sources, described)
    for name in MODULES:
        module = importlib.import_module(name)
        parts = [titled(name), f".. automodule:: {name}", ""]
        for each, value in offered(module):
            if inspect.isclass(value) and id(value) in described:
                continue
            described.add(id(value))
            if inspect.isclass(value):
                parts += [f".. autoclass:: {name}.{each}", "    :members:", ""]
            elif callable(value):
                parts += [f".. autofunction:: {name}.{each}", ""]
        write(sources, f"python/{name}.rst", *parts)
    write_functions(sources, described)
    write_operations(sources)


def write_types(sources: pathlib.Path, described: set[int]) -> None:
    """Tensors, devices, configs and enumerations that `import tilemeter` offers."""
    ttnn = importlib.import_module("tilemeter")
    parts = [titled("Types"), "Tensors, devices, configs and enumerations, with TT-NN's names.", "", ".. py:currentmodule:: tilemeter", ""]
    for name, value in offered(ttnn):
        if inspect.isclass(value) and id(value) not in described:
            described.add(id(value))
            parts += [f".. autoclass:: tilemeter.{name}", "    :members:", "    :undoc-members:", ""]
    write(sources, "python/types.rst", *parts)


def write_functions(sources: pathlib.Path, described: set[int]) -> None:
    """Functions that `import tilemeter` offers and that are of no module above."""
    ttnn = importlib.import_module("tilemeter")
    parts = [titled("Functions"), "Functions that are no operations, with TT-NN's names where it has them.", ""]
    for name, value in offered(ttnn):
        if callable(value) and not inspect.isclass(value) and id(value) not in described:
            parts += [f".. autofunction:: tilemeter.{name}", ""]
    write(sources, "python/functions.rst", *parts)


def write_operations(sources: pathlib.Path) -> None:
    """Each operation with its call, and what its help says."""
    ttnn = importlib.import_module("tilemeter")
    parts = [
        titled("Operations"),
        "Operations have TT-NN's names: ``ttnn.add`` is ``tilemeter.add``. What becomes of each argument:",
        ":doc:`/tools/python/ARGUMENTS`.", "", ".. py:currentmodule:: tilemeter", "",
    ]
    every = ttnn.query_registered_operations(include_experimental=True)
    named = {operation.python_fully_qualified_name.removeprefix("ttnn."): operation for operation in every}
    short = {name: value for name, value in vars(ttnn).items() if is_operation(value) and name not in named}  # mul of multiply
    for name, operation in (named | short).items():
        call, _, rest = inspect.cleandoc(operation.__doc__ or "").partition("\n")
        _, bracket, arguments = call.partition("(")
        said = rest.strip().partition("\n\nParameters:")[0]
        parts += [f".. py:function:: {name}{bracket or '()'}{arguments}", "", indented("\n".join(of_docstring(said)))]
    write(sources, "python/operations.rst", *parts)


# ---- C++

LITERAL = r'"(?:[^"\\]|\\.)*"'
LITERALS = re.compile(rf"{LITERAL}(?:\s*{LITERAL})*")  # one text in parts
OPERATION = re.compile(rf'(static constexpr OperationInfo kOperation)\b((?:{LITERAL}|[^";])*);')


def operations() -> dict[str, list[str]]:
    """The headers of each family of operations, in the order in which its definitions.hpp names them."""
    families = {}
    for path in sorted(ROOT.glob("runtime/operations/*/definitions.hpp")):
        own = rf'#include "(runtime/operations/{path.parent.name}/[^"]+)"'
        families[f"operations_{path.parent.name}"] = re.findall(own, path.read_text(encoding="utf-8"))
    families["operations_generic"] = ["runtime/operations/generic/generic_op.hpp"]
    return families


def documented(operation: re.Match[str]) -> str:
    """The text of an operation, which its help shows in Python, as a comment, and no initializer."""
    said = ["".join(ast.literal_eval(each) for each in re.findall(LITERAL, run)) for run in LITERALS.findall(operation[2])]
    names = ", ".join(f"`{each}`" for each in said if " " not in each)
    text = " ".join(re.sub(r"([\\@&<>#%])", r"\\\1", each) for each in said if " " in each)
    return f"/// {names}: {text}\n    {operation[1]};" if text else f"{operation[1]};"


def for_doxygen(header: str) -> str:
    """A header without what doxygen takes for something else: separators of digits, unions without a name, and classes of std that it
    has not read."""
    header = re.sub(r"(?<=\d)'(?=\d)", "", header.replace("std::hash<", "std_hash<"))
    header = re.sub(r"\n *union \{\n.*?\n *\} \w+\{[^}]*\};[^\n]*", "", header, flags=re.DOTALL)
    header = re.sub(r"(?: = )?\{\.[^{}]*\}(?=[;,)])", "", header)  # designated initializers
    return OPERATION.sub(documented, header)


def write_cpp(sources: pathlib.Path, folder: pathlib.Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rooms = HEADERS | operations()
    every = [name for names in rooms.values() for name in names]
    for name in every:
        copy = folder / "headers" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(for_doxygen((ROOT / name).read_text(encoding="utf-8")), encoding="utf-8")
    settings = DOXYGEN.format(folder=folder, headers=" ".join(f'"{folder}/headers/{name}"' for name in every))
    done = subprocess.run(["doxygen", "-"], input=settings, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"sources: doxygen: {done.stderr.strip()}")
    # doxygen's index has files by their last name alone, breathe looks for them by their path.
    index = folder / "xml" / "index.xml"
    described = set()

    def with_path(found: re.Match[str]) -> str:
        text = (folder / "xml" / f"{found[2]}.xml").read_text(encoding="utf-8")
        path = re.findall(r'<location file="([^"]*)"/>', text)[-1]
        if re.search(r"<inner(class|namespace) |<memberdef ", text):
            described.add(path)
        return found[1] + path

    text = index.read_text(encoding="utf-8")
    index.write_text(re.sub(r'(<compound refid="([^"]*)" kind="file"><name>)[^<]*', with_path, text), encoding="utf-8")
    if empty := sorted(set(every) - described):
        sys.exit(f"sources: doxygen: expected names in each header, found none in {len(empty)}: {', '.join(empty[:5])}")
    for room, names in rooms.items():
        parts = [titled(room.replace("operations_", "operations: ").replace("_", " "))]
        for name in names:
            parts += [titled(name, "-"), f".. doxygenfile:: {name}", ""]
        write(sources, f"cpp/{room}.rst", *parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder.resolve()
    sources = folder / "sources"
    shutil.rmtree(sources, ignore_errors=True)
    copy_documents(sources)
    write_verbs(sources)
    write_python(sources)
    write_cpp(sources, folder / "doxygen")
    return 0


if __name__ == "__main__":
    sys.exit(main())
