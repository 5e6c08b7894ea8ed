# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The rows of a dataset that a report, a database or a folder of them gives."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import pickle
import tempfile
from typing import Any, Iterator, Mapping

from tilemeter import _tilemeter
from tilemeter._src.fleet.dataset import TABLES, FleetError

Rows = dict[str, list[dict[str, Any]]]
_ALL = "1000000000"


def files_of(sources: list[str]) -> Iterator[pathlib.Path]:
    """Reports and databases, those within folders as well, each once."""
    seen = set()
    for source in sources:
        path = pathlib.Path(source)
        if not path.exists():
            raise FleetError(f"{source}: expected a report, a database or a folder, found no file")
        found = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file() and _may_be_capture(each))
        if not found:
            raise FleetError(f"{source}: expected reports or databases, found a folder without")
        for each in found:
            if each.resolve() not in seen:
                seen.add(each.resolve())
                yield each


def _may_be_capture(path: pathlib.Path) -> bool:
    name = path.name.removesuffix(".gz").removesuffix(".zst")
    if name.endswith((".python_io.json", "comparison_records.json")):
        return False
    if name.endswith(".json"):
        with open(path, "rb") as file:
            head = file.read(1 << 16)
        return path.name != name or b'"graph"' in head or b'"cluster_descriptor"' in head or b'"node_type"' in head
    return name.endswith(".sqlite")


def identity(path: pathlib.Path, labels: Mapping[str, str]) -> str:
    """The same for the same content under the same labels, whenever and wherever it is collected."""
    digest = hashlib.sha256(json.dumps(sorted(labels.items())).encode())
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:32]


def _model_of(path: pathlib.Path) -> str:
    stem = path.name
    for ending in (".gz", ".zst", ".json", ".sqlite", ".report"):
        stem = stem.removesuffix(ending)
    return path.resolve().parent.name if stem in ("report", "db") else stem


def _answers(path: pathlib.Path, calls: list[list[str]]) -> list[Any]:
    answers = []
    for (status, output, errors), call in zip(_tilemeter.run_verbs(calls, {}), calls):
        if status in (1, 2):
            raise FleetError(errors.decode(errors="replace").strip().removeprefix("tilemeter: ") or f"{path}: {call[0]} failed")
        answers.append(output)
    return answers


def rows_of(path: pathlib.Path, capture: str, labels: Mapping[str, str], date: str, sequence: int) -> Rows:
    """Raises FleetError with one line for what is no report."""
    rows: Rows = {table: [] for table in TABLES}
    base = {
        "capture": capture, "model": labels.get("model", _model_of(path)), "commit": labels.get("commit", ""), "date": date,
        "labels": json.dumps(dict(sorted(labels.items()))), "source": str(path), "sequence": sequence,
    }
    if path.name.removesuffix(".gz").removesuffix(".zst").endswith(".sqlite"):
        (text,) = _answers(path, [["summary", str(path), "--json"]])
        _add_database(rows, base, json.loads(text))
        return rows
    with tempfile.TemporaryDirectory() as folder:
        snapshot = os.path.join(folder, "snapshot.pickle")
        peak_text, tree_text, _ = _answers(path, [
            ["peak", str(path), "--json", "--top", _ALL], ["tree", str(path), "--json"], ["export", str(path), snapshot, "--json"],
        ])
        peak, tree = json.loads(peak_text), json.loads(tree_text)
        with open(snapshot, "rb") as file:
            memory = pickle.load(file)  # our own, written a moment ago
    devices = peak["devices"]
    kinds = {reason["kind"] for reason in peak["reasons"]}
    planned = any(reason.get("detail") == "planned" for reason in peak["reasons"]) or "sizes_without_addresses" in kinds
    rows["captures"].append(base | {
        "system": peak["device"] or "", "truth": "planned" if planned else "observed", "verdict": peak["verdict"], "devices": len(devices),
        "l1_bytes": max((each["l1"]["peak_bytes_per_core"] for each in devices), default=0),
        "dram_bytes": max((each["dram"]["peak_bytes_per_bank"] for each in devices), default=0),
        "l1_limit_bytes": peak["l1"]["limit_bytes_per_core"], "dram_limit_bytes": peak["dram"]["limit_bytes_per_bank"],
        "l1_bound": peak["l1"]["bound"], "dram_bound": peak["dram"]["bound"],
        "errors": sum(reason["kind"] == "operation_failed" for reason in peak["reasons"]),
    })
    for device in devices:
        for memory_name, size in (("l1", "bytes_per_core"), ("dram", "bytes_per_bank")):
            for owner in device[memory_name]["contributors"]:
                rows["owners"].append({
                    "capture": capture, "device": device["device_id"], "memory": memory_name.upper(), "made_by": owner["operation"],
                    "source_line": owner["source_line"], "name": owner["name"], "shape": owner["shape"], "share": owner["share"],
                    "bytes": owner[size], "before_window": owner["before_window"],
                })
    for operation in tree["operations"]:
        rows["operations"].append({
            "capture": capture, "node": operation["node"], "parent_node": operation["parent_node"], "operation": operation["operation"],
            "source_line": operation["source_line"], "level": operation["level"], "duration_ns": operation["duration_ns"],
            "l1_bytes": operation["l1_peak_bytes_per_core"], "dram_bytes": operation["dram_peak_bytes_per_bank"],
            "l1_change_bytes": operation["l1_change_bytes_per_core"], "aborted": operation["aborted"],
        })
    _add_lifetimes(rows, capture, memory, [each["device_id"] for each in sorted(devices, key=lambda each: each["device_id"] or 0)])
    return rows


def _add_lifetimes(rows: Rows, capture: str, memory: Any, devices: list[int]) -> None:
    """From a snapshot: first the DRAM of each device, then the L1 of those that have any."""
    blocks: dict[int, list[Any]] = {}
    for segment in memory["segments"]:
        blocks.setdefault(segment["device"], []).extend(block for block in segment["blocks"] if block["state"] != "inactive")
    for place, trace in enumerate(memory["device_traces"]):
        is_dram = place < len(devices)
        device = devices[place] if is_dram else (devices[place - len(devices)] if place - len(devices) < len(devices) else None)
        open_: dict[int, dict[str, Any]] = {}

        def begin(address: int, size: int, frames: Any, node: int | None) -> dict[str, Any]:
            row = {"capture": capture, "device": device, "memory": "DRAM" if is_dram else "L1", "address": address, "bytes": size,
                   "made_by": " > ".join(frame["name"] for frame in reversed(frames)), "begin_node": node, "end_node": None}
            rows["lifetimes"].append(row)
            return row

        for entry in trace:
            if entry["action"] == "alloc":
                open_[entry["addr"]] = begin(entry["addr"], entry["size"], entry["frames"], entry["time_us"])
                continue
            ended = open_.pop(entry["addr"], None) or begin(entry["addr"], entry["size"], entry["frames"], None)
            ended["end_node"] = entry["time_us"]
        for block in blocks.get(place, ()):
            if block["address"] not in open_:
                begin(block["address"], block["requested_size"], block["frames"], None)


def _add_database(rows: Rows, base: Mapping[str, Any], summary: Any) -> None:
    captures = summary.get("captures", [])
    rows["captures"].append(dict(base) | {
        "system": "", "truth": "observed", "verdict": summary["verdict"], "devices": len(captures),
        "l1_bytes": max((each["l1"]["peak_bytes_per_core"] or 0 for each in captures if each["l1"]), default=0),
        "dram_bytes": max((each["dram"]["peak_bytes_per_bank"] or 0 for each in captures if each["dram"]), default=0),
        "l1_limit_bytes": None, "dram_limit_bytes": None, "l1_bound": "at_least", "dram_bound": "at_least", "errors": 0,
    })
