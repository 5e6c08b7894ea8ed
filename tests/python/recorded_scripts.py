# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts behind recorded reports with `import ttnn` giving tilemeter, and holds what comes out against them.

    recorded_scripts.py [--reports FOLDER] [--out FOLDER] [--filter TEXT] [--show N]

FOLDER is by default TILEMETER_SHARED/reports; TILEMETER_SHARED is by default the folder `shared` beside the clone. A
report's folder has report.json, script.py and how.txt (cluster, arguments); the scripts need torch. Prints a table in
Markdown: tree, buffers and programs are equal (as compare_reports.py counts them), or how many entries differ, or why a
script does not run. In a NO_DISPATCH capture TT-NN's addresses are 0: any address matches. On a mesh TT-NN's NORMAL lists
circular buffers once per chip, its NO_DISPATCH once for all, as tilemeter does: the first chip's count. Exit status 0: all ran.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pathlib
import re
import runpy
import shlex
import sys
import tempfile
import traceback
from typing import Any, Callable

from shared_folder import SHARED



def pose_as_ttnn() -> None:
    """`import ttnn` gives tilemeter from here on."""
    for name in ("", ".graph", ".graph_report", ".transformer", ".experimental", ".kv_cache"):
        try:
            sys.modules[f"ttnn{name}"] = importlib.import_module(f"tilemeter{name}")
        except ImportError:
            pass


def run_script(script: pathlib.Path, arguments: list[str], environment: dict[str, str], log: pathlib.Path) -> str:
    """Runs it in a process of its own; why it failed, or nothing."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(descriptor, 1)
            os.dup2(descriptor, 2)
            os.environ.update(environment)
            from tilemeter import CONFIG

            CONFIG.enable_fast_runtime_mode = environment.get("FAST") != "false"
            sys.argv = [str(script), *arguments]
            sys.path.insert(0, str(SHARED / "reports" / "kit"))
            runpy.run_path(str(script), run_name="__main__")
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    _, status = os.waitpid(child, 0)
    lines = log.read_text(errors="replace").splitlines()
    said = [line for line in lines if re.match(r"(\w+\.)*\w*(Error|Exception)\b", line)]
    excepted = [line for line in lines if line.startswith("EXCEPTION ")]
    if status == 0:
        return "" if not excepted else f"raises {excepted[-1][len('EXCEPTION '):]}"
    return (said or lines or ["no word"])[-1]


def of_one_chip(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the circular buffers of an operation that only repeat those of its first chip."""
    kept, first = [], None
    for node in nodes:
        kind, params = node["node_type"], node["params"] or {}
        if kind == "function_start":
            first = None
        if kind == "circular_buffer_allocate":
            first = params.get("device_id") if first is None else first
            if params.get("device_id") != first:
                continue
        kept.append(node)
    return kept


def differences(judge: Any, reference: pathlib.Path, candidate: pathlib.Path, show: int) -> list[str]:
    """Tree, buffers, programs: "equal", or how many entries differ."""
    words = []
    nodes = tuple(of_one_chip(judge.nodes_of(each)) for each in (reference, candidate))
    parts: list[tuple[Callable[..., Any], Callable[[Any, Any], bool]]] = [
        (judge.tree, lambda a, b: bool(a == b)),
        (judge.buffers, judge.same_buffer),
        (judge.programs, judge.same_program),
    ]
    for entries, same in parts:
        wanted, found = (entries(each) for each in nodes)
        length = max(len(wanted), len(found))
        wrong = [i for i in range(length) if i >= min(len(wanted), len(found)) or not same(wanted[i], found[i])]
        words.append("equal" if not wrong else f"{len(wrong)} of {length} differ")
        for i in wrong[:show]:
            print(f"    {i}: expected {wanted[i] if i < len(wanted) else None}", file=sys.stderr)
            print(f"    {i}: found    {found[i] if i < len(found) else None}", file=sys.stderr)
    return words


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=pathlib.Path, default=SHARED / "reports")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "recorded_scripts")
    parser.add_argument("--filter", default="")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    import torch  # noqa: F401  once, not in every child

    pose_as_ttnn()
    sys.path.insert(0, str(SHARED))
    judge = importlib.import_module("compare_reports")
    failed = 0
    print("| report | tree | buffers | programs |\n|---|---|---|---|")
    for folder in sorted(path.parent for path in options.reports.glob("*/how.txt") if options.filter in str(path)):
        how = (folder / "how.txt").read_text()
        facts = dict(re.findall(r"(\w+)=(\S+)", how.partition("args=")[0]))
        arguments = shlex.split(how.partition("args=")[2])
        out = options.out / folder.name
        out.mkdir(parents=True, exist_ok=True)
        environment = {"TILEMETER_DEVICE": facts.get("cluster", "n150"), "FAST": facts.get("FAST", "true")}
        why = run_script(folder / "script.py", [str(out), *arguments], environment, out / "log.txt")
        for reference in sorted(folder.rglob("report.json")):
            name = reference.parent.relative_to(options.reports)
            candidate = out / reference.relative_to(folder)
            expected = (folder / "expect.json").exists() and '"exception": {' in (folder / "expect.json").read_text()
            if why and not (why.startswith("raises ") and (expected or candidate.exists())):
                failed += 1
                print(f"| {name} | does not run: {why[:160]} | | |")
                break
            note = f" ({why[:120]})" if why and not expected else ""
            words = differences(judge, reference, candidate, options.show)
            print(f"| {name}{note} | {' | '.join(words)} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
