# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""One function under many configurations: which fit, what each takes, what stops it."""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

from tilemeter._src.answers.answers import fit
from tilemeter._src.answers.capture import capture
from tilemeter._tilemeter import RunMode

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Row = dict[str, Any]
_MEASURED = ("fits", "verdict", "l1_bytes_per_core", "dram_bytes_per_bank", "stopped_by", "message")
_FITS = {"fits": True, "does_not_fit": False}
_DIED = "the worker died"
_DEATHS = ("KilledWorker", "WorkerCrashedError")  # of Dask and Ray


def measure(function: Callable[..., Any], configuration: Mapping[str, Any], report: str | None = None) -> Row:
    """One row: function(**configuration), planned only. For executors; `sweep` calls it."""
    error: BaseException | None = None
    with capture(report, run_mode=RunMode.NO_DISPATCH) as taken:
        try:
            function(**configuration)
        except Exception as found:  # a row says what stops a configuration
            error = found
    answer = fit(taken)
    verdict = answer.verdict
    line = next((text for text in str(error).splitlines() if text), type(error).__name__) if error is not None else None
    fits = _FITS.get(verdict or "")
    if error is not None:
        fits = False if isinstance(error, MemoryError) or "memory" in str(error).lower() or "circular buffer" in str(error).lower() else None
        verdict = "does_not_fit" if fits is False else "failed"
    # Of what was only planned nothing throws: the reason says what would not fit.
    failed = next((reason for reason in answer.reasons if reason["kind"] == "operation_failed"), None)
    if failed is None and fits is False:
        failed = answer.reasons[0] if answer.reasons else None
        line = line or (failed or {}).get("text")
    return {
        **configuration, "fits": fits, "verdict": verdict, "l1_bytes_per_core": answer["l1"]["peak_bytes_per_core"],
        "dram_bytes_per_bank": answer["dram"]["peak_bytes_per_bank"], "stopped_by": (failed.get("operation") or failed["kind"]) if failed else type(error).__name__ if error else None,
        "message": line,
    }


def _not_measured(configuration: Mapping[str, Any], why: str) -> Row:
    return {**configuration, **dict.fromkeys(_MEASURED), "verdict": "unknown", "stopped_by": why}


def _checked(configurations: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for place, each in enumerate(configurations):
        if not isinstance(each, Mapping) or not all(isinstance(key, str) for key in each):
            raise TypeError(f"sweep: configuration {place}: expected a dict of arguments by name, found {each!r}")
        for key in each:
            if key in _MEASURED:
                raise ValueError(f"sweep: configuration {place}: {key!r} is a column of the answer")
        made.append(dict(each))
    return made


def sweep(
    function: Callable[..., Any],
    configurations: Iterable[Mapping[str, Any]],
    executor: Executor | None = None,
    *,
    to: str | os.PathLike[str] | None = None,
) -> list[Row]:
    """A row for each configuration, in their order: its own keys, `fits` (True, False, None: not known), `verdict`,
    `l1_bytes_per_core`, `dram_bytes_per_bank`, and where it stops `stopped_by` and `message`.

    function: is called with a configuration's values by name, opens the device it needs, and runs in NO_DISPATCH.
    executor: any of concurrent.futures; Dask's get_executor() and Ray's are of this kind. Without one: a pool of processes,
    or, where the function cannot be sent to another process, this one. A worker that dies costs the configurations it had.
    to: a file of rows as JSON lines (.jsonl), or a folder: the captures go to that dataset (`tilemeter collect`), with the
    configuration as labels. Rows do not depend on the executor. Raises TypeError or ValueError for what is no configuration.
    """
    wanted = _checked(configurations)
    if to is not None and not os.fsdecode(to).endswith(".jsonl"):
        return _into_dataset(function, wanted, executor, pathlib.Path(to))
    rows = _measured(function, wanted, executor, [None] * len(wanted))
    if to is not None:
        waiting = pathlib.Path(os.fsdecode(to) + ".new")
        try:
            waiting.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
            os.replace(waiting, to)
        except OSError:
            waiting.unlink(missing_ok=True)
            raise
    return rows


def _into_dataset(function: Callable[..., Any], wanted: list[dict[str, Any]], executor: Executor | None, folder: pathlib.Path) -> list[Row]:
    import tempfile

    from tilemeter._src.fleet.commands import add_reports

    with tempfile.TemporaryDirectory() as reports:
        paths: list[str | None] = [os.path.join(reports, f"{place}.json") for place in range(len(wanted))]
        rows = _measured(function, wanted, executor, paths)
        labels = [{key: str(value) for key, value in each.items()} for each in wanted]
        name = getattr(function, "__name__", "function")
        add_reports(folder, [(pathlib.Path(path), {"model": name, **of}) for path, of in zip(paths, labels) if path and os.path.exists(path)])
    return rows


def _measured(function: Callable[..., Any], wanted: list[dict[str, Any]], executor: Executor | None, paths: list[str | None]) -> list[Row]:
    if executor is not None:
        futures = [executor.submit(measure, function, each, path) for each, path in zip(wanted, paths)]
        return [_row_of(future) or _not_measured(each, _DIED) for future, each in zip(futures, wanted)]
    if len(wanted) < 2 or not _can_be_sent(function, wanted):
        return [measure(function, each, path) for each, path in zip(wanted, paths)]
    return _in_processes(function, wanted, paths)


def _can_be_sent(function: Callable[..., Any], wanted: list[dict[str, Any]]) -> bool:
    import pickle

    try:
        pickle.dumps((function, wanted))
        return True
    except Exception:  # whatever a __reduce__ raises
        return False


def _row_of(future: Future[Row]) -> Row | None:
    """None: its worker died. A row holds the errors of the function; others, as of what cannot be sent, come through."""
    from concurrent.futures import BrokenExecutor, CancelledError

    try:
        return future.result()
    except (BrokenExecutor, CancelledError):
        return None
    except Exception as error:
        if type(error).__name__ in _DEATHS:
            return None
        raise


def _in_processes(function: Callable[..., Any], wanted: list[dict[str, Any]], paths: list[str | None]) -> list[Row]:
    """A worker that dies takes its pool along: what was not measured is tried again, twice by itself in the end."""
    import multiprocessing
    import warnings
    from concurrent.futures import ProcessPoolExecutor

    rows: dict[int, Row] = {}
    # Forked: a function of a script that has no guard around its main part can be sent as well.
    context = multiprocessing.get_context("fork")
    for workers in (min(os.cpu_count() or 1, len(wanted)), 1, 1):
        left = [place for place in range(len(wanted)) if place not in rows]
        groups = [left] if workers > 1 else [[place] for place in left]
        for group in groups:
            if not group:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                with ProcessPoolExecutor(min(workers, len(group)), mp_context=context) as pool:
                    futures = {place: pool.submit(measure, function, wanted[place], paths[place]) for place in group}
                    for place, future in futures.items():
                        row = _row_of(future)
                        if row is not None:
                            rows[place] = row
    return [rows.get(place) or _not_measured(each, _DIED) for place, each in enumerate(wanted)]
