#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the verbs of `tilemeter` stand broken reports?

    usage: hostile_reports.py TILEMETER REPORTS_FOLDER [--count N] [--seed S] [--keep FOLDER]

Takes the reports below the folder, damages copies (N in all: bytes cut off, flipped or doubled; values of nodes
replaced, removed, sent elsewhere; nesting, huge and negative numbers, foreign texts) and gives each to every verb.
A verb has to end by itself with status 0 to 4, with a single line on standard error if it is 1, and without a word
from a sanitizer. Built with sanitizers it shows what a release build hides. Last line `N calls, M failed`; exit
status 1 if M is not 0. --keep saves the files that failed.
"""
import argparse
import copy
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

VERBS = [
    ["summary"], ["peak"], ["explain"], ["explain", "--at", "3"], ["fit", "--device", "p150"],
    ["timeline"], ["timeline", "--late"], ["timeline", "--alive-at-end"], ["timeline", "--at", "5"],
    ["timeline", "--csv"], ["tree"], ["print"], ["print", "--ttnn"], ["levelized"],
    ["levelized", "--join", "--max-level", "3"], ["svg"], ["svg", "--max-lines", "3"], ["svg", "--dot"], ["html"],
    ["perfetto"], ["diff", "@"], ["check", "--max-l1", "1"], ["configs"], ["tightest"],
]
JSON_TOO = {"summary", "peak", "explain", "fit", "timeline", "tree", "print", "levelized", "diff", "check", "configs", "tightest"}
VALUES = [
    None, True, False, 0, 1, -1, 2**31, 2**32, 2**63 - 1, -(2**63), 2**64, 10**30, 1.5, -1e300, "", "0", "-1", "many",
    "99999999999999999999", [], {}, [[]], [1, -1, 10**12], {"a": {}}, "{[0-0 - 63-63]}", "{[0-0 - 9999999-9999999]}",
    "{[", "é\u0000\"\\", "Shape([1, 32])", "function_start", "capture_end", "buffer_allocate", "mystery_allocate",
    "x" * 5000, "[" * 300,
]
NODE_TYPES = [
    "function_start", "function_end", "tensor", "buffer", "buffer_allocate", "buffer_deallocate",
    "circular_buffer_allocate", "circular_buffer_deallocate_all", "dataflow_buffer_allocate", "scratchpad_allocate",
    "program_execution", "sub_device_manager", "capture_start", "capture_end", "error", "mystery_allocate",
]


def damage_text(random_, text):
    data = bytearray(text)
    for _ in range(random_.choice([1, 1, 2, 8])):
        kind = random_.randrange(5)
        at = random_.randrange(len(data) or 1)
        if kind == 0:
            del data[at:]
        elif kind == 1 and data:
            data[at] ^= 1 << random_.randrange(8)
        elif kind == 2:
            data[at:at] = data[at : at + random_.randrange(1, 400)]
        elif kind == 3:
            del data[at : at + random_.randrange(1, 200)]
        else:
            data[at:at] = random_.choice([b"\x00", b"\xff", b"[" * 2000, b'"', b"}", b"1e999", b"-", b"\\u0000", b","])
    return bytes(data)


def containers(value, found):
    if isinstance(value, (dict, list)):
        if value:
            found.append(value)
        for child in value.values() if isinstance(value, dict) else value:
            containers(child, found)
    return found


def damage_values(random_, report):
    report = copy.deepcopy(report)
    graph = report.get("graph") or [{}]
    for _ in range(random_.choice([1, 2, 4, 16])):
        kind = random_.randrange(8)
        node = random_.choice(graph)
        if kind == 0:
            node["node_type"] = random_.choice(NODE_TYPES)
        elif kind == 1:
            node["connections"] = [random_.randrange(-2, len(graph) + 3) for _ in range(random_.randrange(5))]
        elif kind == 2 and isinstance(node.get("params"), dict) and node["params"]:
            node["params"][random_.choice(list(node["params"]))] = random_.choice(VALUES)
        elif kind == 3:
            graph.insert(random_.randrange(len(graph)), copy.deepcopy(node))
        elif kind == 4 and len(graph) > 1:
            graph.remove(node)
        elif kind == 5:
            random_.shuffle(graph)
        elif kind == 6:
            node["input_tensors"] = [random_.randrange(-2, len(graph) + 3) for _ in range(random_.randrange(4))]
        else:
            place = random_.choice(containers(report, []))
            key = random_.choice(list(place)) if isinstance(place, dict) else random_.randrange(len(place))
            if random_.randrange(3) == 0:
                del place[key]
            else:
                place[key] = random_.choice(VALUES)
            graph = report.get("graph") if isinstance(report.get("graph"), list) and report.get("graph") else [{}]
            graph = [node if isinstance(node, dict) else {} for node in graph]
    return json.dumps(report).encode()


def problem(result):
    if result is None:
        return "does not end"
    if result.returncode not in (0, 1, 2, 3, 4):
        return f"ended with {result.returncode}"
    errors = result.stderr.decode(errors="replace")
    if "Sanitizer" in errors or "runtime error:" in errors:
        return "sanitizer: " + errors[:2000]
    if result.returncode == 1 and errors.count("\n") != 1:
        return "not one line on standard error: " + errors[:300]
    return ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tilemeter")
    parser.add_argument("reports", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    random_ = random.Random(options.seed)
    sources = sorted(path for path in options.reports.rglob("*report.json") if path.stat().st_size < 600_000)
    texts = [path.read_bytes() for path in sources]
    reports = [json.loads(text) for text in texts]
    calls = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        file, whole = pathlib.Path(folder) / "report.json", pathlib.Path(folder) / "whole.json"
        for index in range(options.count):
            which = random_.randrange(len(sources))
            whole.write_bytes(texts[which])
            by_bytes = random_.randrange(3) == 0
            file.write_bytes(
                damage_text(random_, texts[which]) if by_bytes else damage_values(random_, reports[which])
            )
            for verb in VERBS:
                command = [options.tilemeter, *(str(whole) if word == "@" else word for word in verb), str(file)]
                if verb[0] in JSON_TOO and "--csv" not in verb and random_.randrange(2):
                    command.append("--json")
                try:
                    result = subprocess.run(command, capture_output=True, timeout=60)
                except subprocess.TimeoutExpired:
                    result = None
                calls += 1
                why = problem(result)
                if not why:
                    continue
                failed += 1
                print(f"damage {index} of {sources[which].name}, {' '.join(verb)}: {why}")
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    shutil.copy(file, options.keep / f"seed{options.seed}_{index}.json")
    print(f"{calls} calls, {failed} failed")
    return 1 if failed or not calls else 0


if __name__ == "__main__":
    sys.exit(main())
