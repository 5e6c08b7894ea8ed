# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""`tilemeter collect` and `tilemeter query DATASET ...`."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import pathlib
import sys
from typing import Any, Mapping, NoReturn, Sequence

from tilemeter._src.fleet import publish, queries
from tilemeter._src.fleet.dataset import TABLES, Dataset, FleetError, engine
from tilemeter._src.fleet.rows import Rows, files_of, identity, rows_of

_LISTED = ("peak-trend", "top-owners", "regressions")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"tilemeter: {' '.join(message.split())}", file=sys.stderr)
        raise SystemExit(2)


def _label(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise argparse.ArgumentTypeError(f"expected KEY=VALUE, found {text!r}")
    return key, value


def _date(text: str) -> str:
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected YYYY-MM-DD, found {text!r}") from None


def _parser() -> _Parser:
    parser = _Parser(prog="tilemeter")
    verbs = parser.add_subparsers(dest="verb", required=True)
    collect = verbs.add_parser("collect", help="adds reports to a dataset", description="Adds reports, databases or folders of them to a dataset of Parquet files.")
    collect.add_argument("dataset", help="the folder; made where there is none")
    collect.add_argument("sources", nargs="*", metavar="REPORT", help="a report, an importer's database, or a folder of these")
    collect.add_argument("--label", type=_label, action="append", default=[], metavar="KEY=VALUE", help="of all these captures; commit and model are columns")
    collect.add_argument("--date", type=_date, help="YYYY-MM-DD; today by default")
    collect.add_argument("--compact", action="store_true", help="then make one file of each table")
    collect.add_argument("--otlp", metavar="FILE|URL", help="peaks as OpenTelemetry metrics (JSON), of what is new")
    collect.add_argument("--mlflow", action="store_true", help="peaks and pages to MLflow's current run, of what is new")
    collect.add_argument("--json", action="store_true", help="machine-readable")
    query = verbs.add_parser("query", help="asks a dataset")
    query.add_argument("dataset")
    query.add_argument("what", help="peak-trend, top-owners, regressions, or SQL over captures, owners, operations and lifetimes")
    query.add_argument("--memory", choices=("L1", "DRAM"), help="of top-owners; both by default")
    query.add_argument("--baseline", metavar="COMMIT", help="of regressions")
    query.add_argument("--percent", type=float, default=0.0, help="of regressions: growth that counts")
    query.add_argument("--json", action="store_true", help="machine-readable")
    return parser


def add_reports(folder: str | os.PathLike[str], reports: Sequence[tuple[pathlib.Path, Mapping[str, str]]], date: str | None = None) -> tuple[Rows, int]:
    """Adds reports with their labels to a dataset, which is made where there is none; gives the rows that are new, and how many
    reports were there before. All of them or none. Raises FleetError."""
    engine()  # what is missing is said before anything is read
    date = date or datetime.date.today().isoformat()
    dataset = Dataset(folder, make=True)
    rows: Rows = {table: [] for table in TABLES}
    known_before = 0
    with dataset.locked():
        known, sequence = dataset.known(), dataset.next_sequence()
        for place, (path, labels) in enumerate(reports):
            if sys.stderr.isatty():
                print(f"\r{place + 1} of {len(reports)}", end="", file=sys.stderr, flush=True)
            capture = identity(path, labels)
            if capture in known:
                known_before += 1
                continue
            known.add(capture)
            for table, more in rows_of(path, capture, labels, date, sequence).items():
                rows[table] += more
            sequence += 1
        if sys.stderr.isatty() and reports:
            print("\r\033[K", end="", file=sys.stderr)
        if rows["captures"]:
            dataset.write(rows)
    return rows, known_before


def collect(options: argparse.Namespace) -> dict[str, int]:
    if not options.sources and not options.compact:
        raise FleetError("collect: expected reports, or --compact, found neither")
    labels = dict(options.label)
    rows: Rows = {table: [] for table in TABLES}
    known_before = 0
    if options.sources:
        rows, known_before = add_reports(options.dataset, [(path, labels) for path in files_of(options.sources)], options.date)
    if options.compact:
        Dataset(options.dataset).compact()
    if options.otlp:
        publish.send_otlp(options.otlp, rows["captures"])
    if options.mlflow:
        publish.send_mlflow(rows["captures"])
    return {"collected": len(rows["captures"]), "known_before": known_before}


def query(options: argparse.Namespace) -> list[dict[str, Any]]:
    dataset = Dataset(options.dataset)
    if options.what == "peak-trend":
        return queries.peak_trend(dataset)
    if options.what == "top-owners":
        return queries.top_owners(dataset, options.memory)
    if options.what == "regressions":
        if options.baseline is None:
            raise FleetError("regressions: expected --baseline COMMIT, found none")
        return queries.regressions(dataset, options.baseline, options.percent)
    if " " not in options.what.strip():
        raise FleetError(f"query: expected {', '.join(_LISTED)} or a SELECT, found {options.what!r}")
    return queries.ask(dataset, options.what)


def _print_table(rows: list[dict[str, Any]]) -> None:
    if not rows:
        print("no rows")
        return
    texts = [[name.replace("_", " ") for name in rows[0]]]
    for row in rows:
        texts.append(["" if value is None else f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else f"{value:.3f}" if isinstance(value, float) else str(value)
                      for value in row.values()])
    widths = [max(len(line[column]) for line in texts) for column in range(len(texts[0]))]
    numeric = [isinstance(value, (int, float)) for value in rows[0].values()]
    for line in texts:
        print("  ".join(text.rjust(width) if right else text.ljust(width) for text, width, right in zip(line, widths, numeric)).rstrip())


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 done, 1 bad input, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        if options.verb == "collect":
            done = collect(options)
            if options.json:
                print(json.dumps({"schema": "tilemeter.collect/1", **done}))
            else:
                print(f"{options.dataset}: {done['collected']:,} captures collected, {done['known_before']:,} were there")
        else:
            found = query(options)
            if options.json:
                print(json.dumps(found, indent=2))
            else:
                _print_table(found)
    except FleetError as error:
        print(f"tilemeter: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 1
    return 0
