#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Is an answer ever surer than with the report's numbers intact?

    usage: damaged_numbers.py PROGRAM_FOLDER REPORTS_FOLDER... [--count N] [--seed S] [--verbose]

Takes the reports below the folders and draws N numbers of them: of nodes, devices, metadata, memory_at_begin, of the texts in which
numbers stand, and the version. Replaces each in a copy by what is no number (negative, a fraction, beyond 2^63, text, null, a list),
or takes it out, and asks peak, fit, check (limits, a baseline, --allow-incomplete), explain and summary, and the importer.

    What is no number makes every verdict unknown, `check` end with status 4, and stands in the reasons with its byte and member.
    The verbs without a verdict, and the importer where it reads the number, refuse in one line.
    What is missing never makes a verdict surer, nor a peak called exact another one.

Last line `N passed, N failed`; exit status 1 if any failed.
"""

from __future__ import annotations

import argparse
import copy
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from typing import Any, Callable, Iterator

NO_NUMBERS: dict[str, Any] = {
    "negative": -5, "negative text": "-5", "fraction": 1.5, "fraction text": "1.5", "half a number": "12abc", "exponent": 1e30,
    "exponent text": "1e30", "2^63": 2**63, "text beyond 2^70": str(2**70), "word": "many", "list": [4096], "empty text": "",
}
TEXTS = {"core_range_set", "device_tensors"}
FLAGS = {"globally_allocated", "borrows_memory", "program_cache_hit", "aborted"}
IGNORED = {"command_queue_id", "global_call_count", "program_factory_index", "rank", "world_size", "dirty", "tensor.buffer_type"}
DEVICE = {"device_id", "num_x_compute_cores", "num_y_compute_cores", "worker_l1_size", "l1_num_banks", "l1_bank_size",
          "address_at_first_l1_cb_buffer", "cb_limit", "num_dram_channels", "dram_size_per_channel"}
METADATA = {"capture_timestamp_ns", "total_duration_ns", "recorder_nodes", "recorder_dropped_events", "recorder_open_functions"}
PEAKS = (("l1", "per_core"), ("dram", "per_bank"))
Place = tuple[str, Callable[[Any], tuple[Any, Any]]]  # its name; of a report what holds it, and under which key


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) or isinstance(value, str) and value.isdigit()


def places(report: dict[str, Any]) -> Iterator[Place]:
    """Every number that an answer may rest on."""
    yield "version", lambda it: (it, "version")
    for key in METADATA & set(report.get("metadata") or {}):
        yield f"metadata.{key}", lambda it, key=key: (it["metadata"], key)
    for index, device in enumerate(report.get("devices") or []):
        for key in DEVICE & set(device):
            yield f"devices[{index}].{key}", lambda it, index=index, key=key: (it["devices"][index], key)
    for index, record in enumerate(report.get("memory_at_begin") or []):
        for key in record:
            if is_number(record[key]):
                yield f"memory_at_begin[{index}].{key}", lambda it, index=index, key=key: (it["memory_at_begin"][index], key)
    for index, node in enumerate(report["graph"]):
        kind = node["node_type"]
        for key in ("counter", "stacking_level", "duration_ns"):
            if is_number(node.get(key)):
                yield f"{kind}.{key}", lambda it, index=index, key=key: (it["graph"][index], key)
        for key in ("connections", "input_tensors"):
            for at in range(len(node.get(key) or [])):
                yield f"{kind}.{key}[]", lambda it, index=index, key=key, at=at: (it["graph"][index][key], at)
        for key, value in (node.get("params") or {}).items():
            if key in IGNORED or f"{kind}.{key}" in IGNORED:
                continue
            if key in TEXTS or key in FLAGS or (is_number(value) and key != "name"):
                yield f"{kind}.params.{key}", lambda it, index=index, key=key: (it["graph"][index]["params"], key)


def drawn(random_: random.Random, reports: list[pathlib.Path], count: int) -> Iterator[tuple[pathlib.Path, Place]]:
    """Each sort of place as often as any other, whatever the number of nodes."""
    by_name: dict[str, list[tuple[pathlib.Path, Place]]] = {}
    for path in reports:
        for place in places(json.loads(path.read_text())):
            by_name.setdefault(place[0].split("[")[0] if "[" in place[0] and "." in place[0].split("]")[-1] else place[0], []).append(
                (path, place))
    names = sorted(by_name)
    for number in range(count):
        yield random_.choice(by_name[names[number % len(names)]])


class Judge:
    def __init__(self, programs: pathlib.Path, verbose: bool) -> None:
        self.programs, self.verbose = programs, verbose
        self.passed = self.failed = 0
        self.intact: dict[pathlib.Path, dict[str, Any]] = {}

    def note(self, right: bool, what: str, found: Any) -> None:
        self.passed += right
        self.failed += not right
        if not right or self.verbose:
            print(f"{'passed' if right else 'FAILED'}  {what}: {str(found)[:400]}")

    def call(self, *arguments: Any) -> subprocess.CompletedProcess[str]:
        words = [str(self.programs / "tilemeter"), *map(str, arguments)]
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)

    def answers(self, report: pathlib.Path, baseline: pathlib.Path) -> dict[str, tuple[int, Any]]:
        asked = {
            "peak": ("peak", report, "--json"),
            "fit": ("fit", report, "--json"),
            "fit p150": ("fit", report, "--device", "p150", "--json"),
            "explain": ("explain", report, "--json"),
            "summary": ("summary", report, "--json"),
            "check": ("check", report, "--max-l1", "100%", "--max-dram-per-bank", "100%", "--json"),
            "check incomplete": ("check", report, "--max-l1", "100%", "--allow-incomplete", "--json"),
            "check baseline": ("check", report, "--baseline", baseline, "--json"),
        }
        result = {}
        for name, arguments in asked.items():
            done = self.call(*arguments)
            try:
                result[name] = (done.returncode, json.loads(done.stdout))
            except ValueError:
                result[name] = (done.returncode, done.stderr)
        return result

    def judge(self, what: str, path: pathlib.Path, damaged: pathlib.Path, is_no_number: bool, member: str) -> None:
        if path not in self.intact:
            self.intact[path] = self.answers(path, path)
        found = self.answers(damaged, path)
        for name, (status, answer) in found.items():
            before = self.intact[path][name][1]
            where = f"{what}: {name}"
            if not isinstance(answer, dict):
                self.note(False, where, answer)
                continue
            if is_no_number:
                kinds = {"numbers_damaged", "unknown_version"}
                told = [reason for reason in answer["reasons"] if reason["kind"] in kinds]
                self.note(answer["verdict"] == "unknown" and bool(told), where, (answer["verdict"], answer["reasons"][:2]))
                if told and told[0]["kind"] == "numbers_damaged":
                    self.note(told[0]["detail"].startswith("byte ") and member in told[0]["detail"], where, told[0])
                if name.startswith("check"):
                    self.note(status == 4, where, status)
                continue
            sure = answer["verdict"] in ("unknown", before["verdict"])
            self.note(sure, where, (before["verdict"], answer["verdict"], answer["reasons"][:2]))
            for memory, unit in PEAKS:
                use, known = answer.get(memory), before.get(memory)
                if not isinstance(use, dict) or not isinstance(known, dict) or known.get("bound") != "exact":
                    continue
                key = f"peak_bytes_{unit}"
                if use.get("bound") == "exact":
                    self.note(use[key] == known[key], f"{where}, exact {memory}", (known[key], use[key]))
                elif use.get("bound") == "at_least":
                    self.note(use[key] <= known[key], f"{where}, at least {memory}", (known[key], use[key]))
        if is_no_number:
            for verb in ("timeline", "figures", "tree", "levelized", "configs", "tightest", "print"):
                done = self.call(verb, damaged)
                self.note(done.returncode == 1 and done.stderr.count("\n") == 1, f"{what}: {verb}", (done.returncode, done.stderr))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=200_000, help="bytes of the largest report that is taken")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    reports = sorted(path for folder in options.folders for name in ("report.json", "*.report.json") for path in folder.rglob(name)
                     if path.stat().st_size <= options.largest)
    random_ = random.Random(options.seed)
    judge = Judge(options.programs, options.verbose)
    with tempfile.TemporaryDirectory() as folder:
        for path, (name, find) in drawn(random_, reports, options.count):
            report = json.loads(path.read_text())
            damaged = copy.deepcopy(report)
            holder, key = find(damaged)
            kinds = [*NO_NUMBERS, "missing", "null"]
            if name.split(".")[-1] in TEXTS:
                kinds = ["negative", "fraction", "half a number", "exponent", "number", "missing"]
            if isinstance(holder, list):
                kinds.remove("missing")
            if name == "version":
                kinds = [each for each in kinds if each != "missing"] + ["99", "0"]
            kind = random_.choice(kinds)
            if kind == "missing":
                del holder[key]
            elif name.split(".")[-1] in TEXTS and kind != "number":
                text = holder[key]
                digits = [at for at, c in enumerate(text) if c.isdigit() and not text[at - 1].isdigit()]
                at = random_.choice(digits)
                end = at
                while end < len(text) and text[end].isdigit():
                    end += 1
                instead = {"negative": "-5", "fraction": "1.5", "half a number": "12abc", "exponent": "1e30"}[kind]
                holder[key] = text[:at] + instead + text[end:]
            else:
                holder[key] = {**NO_NUMBERS, "null": None, "99": 99, "0": 0, "number": -5}[kind]
            is_no_number = kind not in ("missing", "null")
            is_text_id = name == "tensor.params.tensor_id" and kind == "empty text"  # says that there is none
            target = pathlib.Path(folder) / path.name
            target.write_text(json.dumps(damaged))
            sidecar = path.with_name(path.name.removesuffix(".json") + ".python_io.json")
            beside = target.with_name(target.name.removesuffix(".json") + ".python_io.json")
            beside.unlink(missing_ok=True)
            if sidecar.exists():
                beside.write_bytes(sidecar.read_bytes())
            member = name.split(".", 1)[-1].removesuffix("[]") if not name.startswith(("devices", "metadata", "memory")) else name
            judge.judge(f"{path.parent.name}/{path.name}: {name}: {kind}", path, target,
                        is_no_number and not is_text_id, member)
    print(f"{judge.passed} passed, {judge.failed} failed")
    return 1 if judge.failed or not judge.passed else 0


if __name__ == "__main__":
    sys.exit(main())
