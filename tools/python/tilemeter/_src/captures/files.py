# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The places where reports and what belongs to them are written."""

from __future__ import annotations

import itertools
import json
import os
import pathlib

from tilemeter import _tilemeter
from tilemeter._tilemeter import CaptureError

COMPARISON_RECORDS_SIDECAR_SUFFIX = ".comparison_records.json"
PYTHON_IO_SUFFIX = ".python_io.json"
_SIDECARS = (PYTHON_IO_SUFFIX, COMPARISON_RECORDS_SIDECAR_SUFFIX)
_temporary_names = itertools.count()


def absolute_place(path: str | os.PathLike[str], what: str) -> pathlib.Path:
    """A path that stays the same when the program changes its folder. Raises TypeError for what is no path, CaptureError for
    what can't name a file."""
    text = os.fsdecode(path)
    if not text or "\0" in text:
        raise CaptureError(f"cannot write {what}: {text!r}: expected the name of a file")
    return pathlib.Path(text if os.path.isabs(text) else os.path.join(os.getcwd(), text))


def checked_place(path: str | os.PathLike[str]) -> pathlib.Path:
    """The place where a report and its sidecars can be written. Raises TypeError or CaptureError where they can't."""
    place = absolute_place(path, "a report")
    if os.fsdecode(path).endswith(os.sep):
        raise CaptureError(f"cannot write a report: {path}: expected the name of a file, found that of a folder")
    _tilemeter.check_report_path(place)
    for suffix in _SIDECARS if place.is_file() or not place.exists() else ():  # not beside a pipe or a device
        _tilemeter.check_report_path(sidecar(place, suffix))
    return place


def sidecar(report_path: str | os.PathLike[str], suffix: str) -> pathlib.Path:
    return pathlib.Path(report_path).with_suffix(suffix)


def write_json(path: pathlib.Path, value: object) -> None:
    """A reader finds the old file or the whole new one."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(unfinished, "w", encoding="utf-8") as file:
            json.dump(value, file)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def temporary_place() -> pathlib.Path:
    """A report that isn't there yet, in the temporary folder."""
    import tempfile

    while True:
        place = pathlib.Path(tempfile.gettempdir(), f"tilemeter_{os.getpid()}_{next(_temporary_names)}.json")
        if not place.exists():
            return place
