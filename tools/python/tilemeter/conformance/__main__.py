# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts and pytest files of a folder under TT-NN and under tilemeter, and says which run and record the same.

    python -m tilemeter.conformance FOLDER [FILE...] [--ttnn COMMAND] [--out OUT] [--draw N] [--seed S] ...

Each file runs in a process of its own on each side, each case of it in a capture. COMMAND starts a Python that has TT-NN, by
default the one that runs this. A mock device computes no values, so helpers that compare values pass on both sides, and a case
that stops at an assertion under TT-NN is compared up to there. Weights that would be downloaded are made up. Prints a table in
Markdown; OUT/results.json has every case, OUT/manifest.json the files with their SHA-256 and the commit they are of.
A script that leaves its device open is compared without what is freed last: TT-NN's device is gone by then.
Exit status 0: all cases that TT-NN runs, run, and those that record something are equal; 3: not all; 1: nothing could be compared.
"""

from __future__ import annotations

import argparse
import ast
import collections
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from tilemeter._src.captures.views import VIEWS_VARIABLE
from tilemeter.conformance.judge import compare, nodes_of, without_last_frees

Facts = dict[str, Any]
_RUNNER = pathlib.Path(__file__).resolve().parent / "runner.py"


def is_test(file: pathlib.Path) -> bool:
    """True if pytest would look for tests in it."""
    return file.name.startswith("test_") or file.stem.endswith("_test")


def files_of(folder: pathlib.Path, named: list[str]) -> list[pathlib.Path]:
    """The files to run: those named, or all of the folder that import ttnn and are tests or scripts."""
    if named:
        return sorted({file for name in named for file in _files_below(folder / name)})
    return _files_below(folder)


_OPENING = {"open_device", "CreateDevice", "open_mesh_device", "manage_device", "manage_mesh_device"}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def _calls_when_imported(node: ast.AST) -> Iterator[ast.Call]:
    """The calls in it that do not wait for a function of the file to be called."""
    if isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _DEFINITIONS):
            yield from _calls_when_imported(child)


def is_script(text: str) -> bool:
    """True if a file does something when it is run: it has a main part, or opens a device or calls a function of its
    own outside of all functions. Any other file is there to be imported."""
    if "__main__" in text:
        return True
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return True  # the run will say so
    own = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    for statement in tree.body:
        if isinstance(statement, _DEFINITIONS):
            continue
        for call in _calls_when_imported(statement):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
            if name in _OPENING or (isinstance(call.func, ast.Name) and name in own and isinstance(statement, ast.Expr)):
                return True
    return False


def _imports_ttnn(text: str) -> bool:
    return re.search(r"^\s*(import|from)\b.*\bttnn\b", text, re.MULTILINE) is not None


def _files_below(path: pathlib.Path) -> list[pathlib.Path]:
    if path.is_file():
        return [path]
    found = []
    for file in sorted(path.rglob("*.py")):
        text = file.read_text(errors="replace")
        if _imports_ttnn(text) and (is_test(file) or is_script(text)):
            found.append(file)
    return found


def passed_over(folder: pathlib.Path, files: list[pathlib.Path]) -> list[str]:
    """Files of the folder that import ttnn and are not run, as they are there to be imported."""
    return [str(file.relative_to(folder)) for file in sorted(folder.rglob("*.py"))
            if file not in files and _imports_ttnn(file.read_text(errors="replace"))]


def read_cases(path: pathlib.Path) -> tuple[dict[str, Facts], list[str], str]:
    """The ends of cases, the names that were drawn, and why the file could not be collected."""
    cases: dict[str, Facts] = {}
    drawn: list[str] = []
    trouble = ""
    for line in path.read_text().splitlines() if path.exists() else ():
        facts = json.loads(line)
        if "case" in facts:
            cases[facts["case"]] = facts
        drawn = facts.get("drawn", drawn)
        if facts.get("collected") is False:
            trouble = facts["why"]
    return cases, drawn, trouble


def run_side(side: str, command: list[str], file: pathlib.Path, out: pathlib.Path, options: argparse.Namespace,
             wanted: list[str] | None) -> tuple[dict[str, Facts], list[str], str]:
    """Runs a file on one side; a case that ends its process, or takes too long, is noted, and the rest runs in another."""
    name = str(file.relative_to(options.folder))
    target = out / name.replace("/", "__")
    target.mkdir(parents=True, exist_ok=True)
    lines = target / "cases.jsonl"
    if options.keep and side == "ttnn" and (target / "whole").exists():
        return read_cases(lines)
    for each in target.iterdir():
        each.unlink()
    environment = {**os.environ, "PYTHONHASHSEED": "0", "HF_HUB_OFFLINE": "1"}
    words = [*command, str(_RUNNER), side, "--root", str(options.folder), "--target", str(file), "--name", name,
             "--out", str(target), "--seed", options.seed]
    words += ["--tests", "--draw", str(options.draw)] if is_test(file) else []
    left = wanted
    while True:
        here = words
        if left is not None:
            (target / "wanted.json").write_text(json.dumps(left))
            here = [*words, "--cases", str(target / "wanted.json")]
        ended = _watch(here, environment, target, lines, options.time_limit)
        cases, drawn, trouble = read_cases(lines)
        for facts in cases.values():
            if facts["status"] == "begins":
                facts.update(status="failed", why=ended, line="", report=None)
                with lines.open("a") as file_of_lines:
                    file_of_lines.write(json.dumps(facts) + "\n")
        whole = wanted if wanted is not None else drawn
        rest = [each for each in whole if each not in cases]
        if not ended or not rest or rest == left or not cases:
            break
        left = rest
    if not cases and not trouble:
        last = (target / "log.txt").read_text(errors="replace").strip().splitlines()
        trouble = ended or next((line for line in reversed(last) if re.match(r"(\w+\.)*\w*(Error|Exception)\b", line)), "")
    (target / "whole").touch()
    return cases, whole, trouble


def _watch(words: list[str], environment: dict[str, str], cwd: pathlib.Path, lines: pathlib.Path, limit: float) -> str:
    """Runs a process while it makes progress; why it ended, or nothing."""
    with (cwd / "log.txt").open("ab") as log:
        process = subprocess.Popen(words, cwd=cwd, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        size, since = -1, time.monotonic()
        while process.poll() is None:
            time.sleep(0.1)
            now = lines.stat().st_size if lines.exists() else 0
            if now != size:
                size, since = now, time.monotonic()
            elif time.monotonic() - since > limit:
                process.kill()
                process.wait()
                return f"takes more than {limit:g} seconds"
    done = lines.exists() and '"done": true' in lines.read_text()[-40:]
    return "" if done else f"the process ended with status {process.returncode}"


def judge_case(reference: Facts, candidate: Facts | None, folders: tuple[pathlib.Path, pathlib.Path]) -> Facts:
    """The outcome of a case that TT-NN runs: whether tilemeter runs it, and what differs."""
    ran = candidate is not None and candidate["status"] in ("passed", "stopped")
    answer: Facts = {"case": reference["case"], "reference": reference["status"], "runs": ran}
    if candidate is None or not ran:
        why = "not collected" if candidate is None else candidate["why"] or candidate["status"]
        return {**answer, "why": why, "line": "" if candidate is None else candidate.get("line", "")}
    if reference["status"] == "passed" and candidate["status"] == "stopped":
        answer["value"] = f"{candidate['why']} at {candidate['line']}"
    theirs, ours = (nodes_of(folder / facts["report"]) if facts.get("report") else []
                    for folder, facts in zip(folders, (reference, candidate)))
    if not any(node["node_type"] == "function_start" for node in theirs + ours):
        return {**answer, "recorded": False}
    if reference.get("device_left"):
        theirs, ours = without_last_frees(theirs), without_last_frees(ours)
    parts = compare(theirs, ours, stopped="stopped" in (reference["status"], candidate["status"]))
    differences = {name: vars(part) for name, part in parts.items()}
    return {**answer, "recorded": True, "equal": not any(parts.values()), "parts": differences}


def cause_of(why: str) -> str:
    """A reason without what varies from case to case."""
    return re.sub(r"\d+", "N", re.sub(r"0x[0-9a-f]+", "0x", why))[:140]


def table(results: list[Facts], depth: int) -> str:
    """The summary by folder, the ranked causes and the first differences, in Markdown."""
    groups: dict[str, list[Facts]] = collections.defaultdict(list)
    for result in results:
        groups["/".join(result["file"].split("/")[:-1][-depth:]) or "."].append(result)
    lines = ["| folder | TT-NN runs | tilemeter runs | of these record something | all equal | buffers equal | programs equal |",
             "|---|---|---|---|---|---|---|"]

    def row(name: str, part: list[Facts]) -> str:
        ran = [each for each in part if each["runs"]]
        told = [each for each in ran if each["recorded"]]
        same = [each for each in told if each["equal"]]
        by = {key: sum(1 for each in told if not each["parts"][key]["different"]) for key in ("buffers", "programs")}
        share = f" ({100 * len(ran) // len(part)} %)" if part else ""
        return f"| {name} | {len(part)} | {len(ran)}{share} | {len(told)} | {len(same)} | {by['buffers']} | {by['programs']} |"

    lines += [row(name, part) for name, part in sorted(groups.items())]
    lines += [row("all", results), "", "| cases | why a case does not run | for example |", "|---|---|---|"]
    causes: dict[str, list[Facts]] = collections.defaultdict(list)
    for each in results:
        if not each["runs"]:
            causes[cause_of(each["why"])].append(each)
    for cause, part in sorted(causes.items(), key=lambda item: -len(item[1])):
        lines.append(f"| {len(part)} | {cause.replace('|', '/')} | `{part[0]['case'].split('/')[-1][:90]}` |")
    lines += ["", "| cases | part | first difference | for example |", "|---|---|---|---|"]
    first: dict[tuple[str, str], list[Facts]] = collections.defaultdict(list)
    for each in results:
        for name, part in each.get("parts", {}).items():
            if part["different"]:
                first[name, cause_of(part["first"])].append(each)
                break
    for (name, difference), part in sorted(first.items(), key=lambda item: -len(item[1])):
        lines.append(f"| {len(part)} | {name} | {difference.replace('|', '/')} | `{part[0]['case'].split('/')[-1][:90]}` |")
    values = [each for each in results if each.get("value")]
    if values:
        lines += ["", f"{len(values)} cases stop at an assertion under tilemeter only, such as `{values[0]['case'].split('/')[-1]}`."]
    return "\n".join(lines)


def commit_of(folder: pathlib.Path) -> str:
    """The origin of a folder: remote and commit, if it is in a clone and git is there."""
    if shutil.which("git") is None:
        return ""
    words = []
    for command in (["config", "--get", "remote.origin.url"], ["rev-parse", "HEAD"]):
        done = subprocess.run(["git", "-C", str(folder), *command], capture_output=True, text=True, check=False)
        words.append(done.stdout.strip())
    return " ".join(word for word in words if word)


def command_of(text: str) -> list[str]:
    """The words of a command, its program by a path that holds in any folder. ValueError: what is wrong with it."""
    words = shlex.split(text)
    if not words:
        raise ValueError("expected a command, found none")
    program = shutil.which(words[0])
    if program is None:
        raise ValueError(f"{words[0]}: no such program")
    return [os.path.abspath(program), *words[1:]]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tilemeter.conformance", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("files", nargs="*", help="files or folders below FOLDER; all that import ttnn by default")
    parser.add_argument("--ttnn", default=sys.executable, help="the command that starts a Python with TT-NN")
    parser.add_argument("--tilemeter", default=sys.executable, help="the command that starts a Python with tilemeter")
    parser.add_argument("--out", type=pathlib.Path, help="where results are kept; by default only the table is printed")
    parser.add_argument("--draw", type=int, default=0, help="at most so many cases of a file, drawn by the seed; 0: all")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--time-limit", type=float, default=120, help="seconds a case may take")
    parser.add_argument("--origin", default="", help="where the folder comes from, for the manifest; by default git is asked")
    parser.add_argument("--depth", type=int, default=1, help="how many folders of a path name a row of the table")
    parser.add_argument("--views", choices=["refuse", "ttnn"], help="whether tilemeter refuses views of freed memory (default)")
    parser.add_argument("--keep", action="store_true", help="keep what TT-NN recorded in OUT in an earlier run")
    options = parser.parse_intermixed_args()
    if not options.folder.is_dir():
        parser.error(f"{options.folder}: no such folder")
    options.folder = options.folder.resolve()
    if options.ttnn == sys.executable and importlib.util.find_spec("ttnn") is None:
        parser.error("this Python has no TT-NN: --ttnn COMMAND starts one that has")
    for side in ("ttnn", "tilemeter"):
        try:
            setattr(options, side, command_of(getattr(options, side)))
        except ValueError as error:
            parser.error(f"--{side}: {error}")
    if options.views:
        os.environ[VIEWS_VARIABLE] = options.views
    if options.keep and options.out is None:
        parser.error("--keep: which results is said by --out")
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        return compare_folder(options, (options.out or pathlib.Path(folder)).resolve())


def compare_folder(options: argparse.Namespace, out: pathlib.Path) -> int:
    """Runs what OPTIONS name on both sides, writes the results to OUT, prints the table; returns the exit status."""
    results: list[Facts] = []
    manifest = []
    files = files_of(options.folder, options.files)
    for number, file in enumerate(files, 1):
        name = str(file.relative_to(options.folder))
        reference, drawn, _ = run_side("ttnn", options.ttnn, file, out / "ttnn", options, None)
        runs = [facts for facts in reference.values() if facts["status"] in ("passed", "stopped")]
        manifest.append({"file": name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest(), "cases": drawn or sorted(reference),
                         "run_under_ttnn": len(runs)})
        if not runs:
            continue
        wanted = [facts["case"] for facts in runs] if is_test(file) else None
        candidate, _, trouble = run_side("tilemeter", options.tilemeter, file, out / "tilemeter", options, wanted)
        folders = tuple(out / side / name.replace("/", "__") for side in ("ttnn", "tilemeter"))
        for facts in runs:
            result = judge_case(facts, candidate.get(facts["case"]), (folders[0], folders[1]))
            if result.get("why") == "not collected" and trouble:
                result["why"] = trouble
            results.append({"file": name, **result})
        if not sys.stderr.isatty():
            continue
        done = [each for each in results if each["file"] == name]
        same = sum(1 for each in done if each.get("equal"))
        print(f"{number} of {len(files)} {name}: {len(done)} run under TT-NN, {sum(each['runs'] for each in done)} under tilemeter, "
              f"{same} equal", file=sys.stderr, flush=True)
    out.mkdir(parents=True, exist_ok=True)
    (out / "manifest.json").write_text(json.dumps(
        {"origin": options.origin or commit_of(options.folder), "seed": options.seed, "draw": options.draw, "files": manifest}, indent=1))
    (out / "results.json").write_text(json.dumps(results, indent=1))
    text = table(results, options.depth)
    (out / "table.md").write_text(text + "\n")
    print(text)
    over = [] if options.files else passed_over(options.folder, files)
    if over:
        print(f"conformance: {len(over)} files import ttnn, do nothing when they are run, and were passed over (name one to run it): "
              f"{', '.join(over[:3])}{', ...' if len(over) > 3 else ''}", file=sys.stderr)
    if not results:
        print(f"conformance: {options.folder}: nothing that TT-NN runs was found", file=sys.stderr)
        return 1
    if not all(each["runs"] and each.get("equal", True) for each in results):
        return 3
    if not any(each["recorded"] for each in results):
        print(f"conformance: {options.folder}: nothing was recorded on either side", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
