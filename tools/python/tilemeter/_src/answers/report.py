# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Reports into the viewer's database."""

from __future__ import annotations

import json
import os
import pathlib
import re
import sys
import time
import warnings
from typing import Any, Iterator, NoReturn

from tilemeter import _tilemeter
from tilemeter._src.base.config import CONFIG, manage_config, save_config_to_json_file
from tilemeter._src.base.nodes import Node
from tilemeter._src.captures.comparison_records import (
    comparison_document, has_comparison_records, reset_comparison_records_data,
)
from tilemeter._src.captures.files import write_json
from tilemeter._src.captures.open_captures import begin_graph_capture, end_graph_capture_to_file
from tilemeter._src.captures.switches import disable_detailed_buffer_tracing, enable_detailed_buffer_tracing
from tilemeter._src.device.distributed_context import distributed_context_barrier
from tilemeter._tilemeter import RunMode, is_graph_capture_active


def _source_roots() -> list[pathlib.Path]:
    """The folders in which the sources of a captured program may lie on this machine."""
    import tempfile

    roots = {pathlib.Path.cwd(), pathlib.Path.home(), pathlib.Path(tempfile.gettempdir())}
    roots.update(pathlib.Path(path) for path in (sys.prefix, sys.base_prefix, os.environ.get("VIRTUAL_ENV")) if path)
    roots.update(pathlib.Path(path).resolve() for path in sys.path if os.path.isdir(path))
    return sorted(roots - {pathlib.Path("/")})


def import_report(
    report_path: str | os.PathLike[str],
    output_dir: str | os.PathLike[str],
    db_name: str = "db.sqlite",
    generate_svgs: bool = False,
    *,
    reference_quirks: bool = False,
    materialize: bool = False,
    lenient: bool = False,
    force: bool = False,
) -> pathlib.Path:
    """Imports a report, or all reports of a folder, into output_dir/db_name and gives the database's path.

    report_path may name a pipe ("-" is standard input) and a file that is compressed by gzip or zstd.
    An importer's database that was there stays until the new one is complete, and is replaced then; a file of another
    kind is replaced only with force. What is left out of a folder is told as a UserWarning. Raises FileNotFoundError
    when there is no report, ValueError (one line: file, place, expected, found) when one can't be read.
    generate_svgs draws with Graphviz's program dot where it is installed, else the call graph of `tilemeter svg`.
    """
    summary = _import(
        report_path,
        output_dir,
        db_name=db_name,
        svg=generate_svgs,
        reference_quirks=reference_quirks,
        materialize=materialize,
        lenient=lenient,
        force=force,
    )
    for reason in summary.skipped:
        warnings.warn(f"left out: {reason}", stacklevel=2)
    return pathlib.Path(summary.database)


def _import(
    report_path: str | os.PathLike[str], output_dir: str | os.PathLike[str], **options: Any
) -> _tilemeter.ImportSummary:
    path = pathlib.Path(report_path)
    if str(path) != "-" and not path.exists():
        raise FileNotFoundError(f"Report path does not exist: {path}")
    return _tilemeter.import_reports(path, pathlib.Path(output_dir), source_roots=_source_roots(), **options)


def flush_comparison_records_to_db(report_dir: str | os.PathLike[str]) -> None:
    """Writes the comparison records into report_dir/comparison_records.json and, where reports lie there, db.sqlite."""
    if not has_comparison_records():
        return
    folder = pathlib.Path(report_dir)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "comparison_records.json", comparison_document())
    reset_comparison_records_data()
    sidecars = ("comparison_records.json", ".python_io.json", ".tensor_lifetime.json")
    if any(not path.name.endswith(sidecars) for path in folder.glob("*.json")):
        import_report(folder, folder)


def extract_operation_durations(graph: list[Node]) -> dict[str, float]:
    """Seconds by name of function; of several calls the last one's."""
    durations: dict[str, float] = {}
    for node in graph:
        if node.get("node_type") == "function_end":
            durations[node.get("params", {}).get("name", "unknown")] = node.get("duration_ns", 0) / 1e9
    return durations


def extract_total_duration_from_graph(graph: list[Node]) -> float:
    """Seconds from the begin to the end of the capture; 0 where the graph doesn't say."""
    durations = [node.get("duration_ns", 0) for node in graph if node.get("node_type") == "capture_end"]
    return durations[-1] / 1e9 if durations else 0.0


def derive_report_name(node_id: str) -> str:
    """The name of a test's report: file, test and a hash of the node id, short enough for any file system."""
    import hashlib

    file, _, test = node_id.partition("::")
    prefix = re.sub(r"[^A-Za-z0-9]+", "_", f"{pathlib.Path(file).stem}_{test.rpartition('::')[2]}").strip("_")[:55]
    return f"{prefix}_{hashlib.sha1(node_id.encode()).hexdigest()[:8]}"


def _file_of_rank(folder: pathlib.Path, name: str) -> pathlib.Path:
    """folder/NAME.json of a process alone, folder/NAME_<rank + 1>_of_<processes>.json of one of several."""
    rank, size = _tilemeter.process_rank()
    return folder / (f"{name}.json" if size == 1 else f"{name}_{rank + 1}_of_{size}.json")


def _finish_pytest_report(folder: pathlib.Path) -> None:
    """Ends the capture into the folder; the first process makes the database of what all of them left there."""
    if not is_graph_capture_active():
        warnings.warn("the graph capture ended before the test did: no report", stacklevel=2)
        return
    end_graph_capture_to_file(_file_of_rank(folder, "graph_capture"))
    distributed_context_barrier()
    if _tilemeter.process_rank()[0] == 0:
        import_report(folder, folder)
        for imported in folder.glob("graph_capture*.json"):
            imported.unlink()
    distributed_context_barrier()


def run_pytest_graph_report_fixture(request: Any) -> Iterator[None]:
    """The body of a pytest fixture that reports each test into a database of its own, as CONFIG says.

    With enable_graph_report the test is captured (with enable_detailed_buffer_report pages of buffers, too) and the report
    imported into CONFIG.report_path, named after the test unless report_name is set. With enable_comparison_mode alone the
    comparison records go there. Of several processes (mpirun) each leaves its report there and the first imports them all,
    for which they need mpi4py. Devices of the fixtures `device` and `mesh_device` are still open when the capture ends.
    """
    wants_report = CONFIG.enable_graph_report
    if is_graph_capture_active() or not (wants_report or CONFIG.enable_comparison_mode):
        yield
        return
    name = CONFIG.report_name or derive_report_name(request.node.nodeid)
    with manage_config("report_name", name):
        folder = CONFIG.report_path
        assert folder is not None  # it has a name
        for fixture in ("mesh_device", "device"):
            if fixture in request.fixturenames:
                request.getfixturevalue(fixture)
        with_pages = wants_report and CONFIG.enable_detailed_buffer_report
        if wants_report:
            if with_pages:
                enable_detailed_buffer_tracing()
            begin_graph_capture(RunMode.NORMAL)
        try:
            yield
        finally:
            folder.mkdir(parents=True, exist_ok=True)
            if wants_report:
                _finish_pytest_report(folder)
            elif has_comparison_records():
                flush_comparison_records_to_db(folder)
            if with_pages:
                disable_detailed_buffer_tracing()
            save_config_to_json_file(_file_of_rank(folder, "config"))


def _print_json(summary: _tilemeter.ImportSummary, seconds: float) -> None:
    texts = {"schema": "tilemeter.graph_report/1", "database": str(summary.database), "size_bytes": summary.size_bytes,
             "replaced": summary.replaced, "report_count": len(summary.imported), "skipped": list(summary.skipped),
             "duration_ns": int(seconds * 1e9), "rows": dict(summary.rows)}
    print(json.dumps(texts, indent=2))


def _print_error(message: str, status: int, error: BaseException | None = None) -> None:
    """As JSON, for who asked for it; the line on stderr comes besides."""
    texts: dict[str, Any] = {"schema": "tilemeter.error/1", "status": status, "message": message}
    parts = {member: getattr(error, member, "") for member in ("file", "position", "expected", "found")}
    texts.update({member: text for member, text in parts.items() if isinstance(text, str) and text})
    print(json.dumps(texts, indent=2), flush=True)


def _print_text(summary: _tilemeter.ImportSummary, seconds: float) -> None:
    print(f"Imported {len(summary.imported)} report(s) into {summary.database} ({summary.size_bytes / 1e6:.1f} MB)"
          f" in {seconds:.2f} s{'; the database that was there is replaced' if summary.replaced else ''}")
    for table, count in summary.rows:
        if count > 0:
            print(f"  {count:>10} {table}")


def main(argv: list[str] | None = None) -> int:
    """The program graph_report: its arguments -> its exit status, with one line on stderr 1 for bad input, 2 for wrong usage.

    Arguments and texts are those of the program of that name in C++.
    """
    import argparse

    class Parser(argparse.ArgumentParser):
        asked_for_json = False

        def error(self, message: str) -> NoReturn:
            if self.asked_for_json:
                _print_error(f"{message} (see --help)", 2)
            self.exit(2, f"{self.prog}: {message} (see --help)\n")

    parser = Parser(
        prog="graph_report", description="Import graph capture reports into a database that ttnn-visualizer opens."
    )
    parser.add_argument("report_path", help="a report (also .gz, .zst, - for standard input), or a folder of them")
    parser.add_argument("output_dir", help="the folder for the database")
    parser.add_argument("--db-name", default="db.sqlite", help="name of the database file")
    parser.add_argument("--svg", action="store_true", help="draw each graph into graphs/, with dot where it is installed")
    parser.add_argument("--reference-quirks", action="store_true", help="rows as TT-NN writes them, also where wrong")
    parser.add_argument("--materialize", action="store_true", help="store live buffers as rows, not as a view")
    parser.add_argument("--lenient", action="store_true", help="of a folder, leave out what cannot be read")
    parser.add_argument("--force", action="store_true", help="replace a file that is no database of an importer")
    parser.add_argument("--quiet", action="store_true", help="say nothing but errors")
    parser.add_argument("--json", action="store_true", help="say what was imported as JSON")
    parser.asked_for_json = "--json" in (sys.argv[1:] if argv is None else argv)
    options = parser.parse_args(argv)
    started = time.perf_counter()
    try:
        summary = _import(
            options.report_path,
            options.output_dir,
            db_name=options.db_name,
            svg=options.svg,
            reference_quirks=options.reference_quirks,
            materialize=options.materialize,
            lenient=options.lenient,
            force=options.force,
        )
    except (OSError, ValueError) as error:
        status = 2 if getattr(error, "wrong_usage", False) else 1
        if options.json:
            _print_error(str(error), status, error)
        print(f"graph_report: {error}", file=sys.stderr)
        return status
    for reason in summary.skipped:
        print(f"graph_report: warning: {reason}", file=sys.stderr)
    seconds = time.perf_counter() - started
    if options.json:
        _print_json(summary, seconds)
    elif not options.quiet:
        _print_text(summary, seconds)
    return 0
