#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A dataset of many made captures: seconds, memory and sizes of collects, compaction and queries, by DuckDB and by Spark.

    usage: tests/acceptance/fleet/scale.py FOLDER [CAPTURES [COLLECTS]]

FOLDER is made and must not be there. 1,000,000 captures of 1,000 collects unless these are named. Captures are made by SQL, not
recorded: fifty models, a commit for each thousand captures, two owners and two operations each, peaks that grow slowly and jump at
times. Needs the package with duckdb; Spark's columns are there where pyspark and a Java runtime are installed, and its rows have to
equal DuckDB's.
"""

from __future__ import annotations

import decimal
import hashlib
import json
import multiprocessing
import pathlib
import resource
import shutil
import sys
import time
from typing import Any, Callable

from tilemeter._src.fleet import queries
from tilemeter._src.fleet.dataset import TABLES, Dataset, engine, no_rows, quoted

MODELS = 50
PER_COMMIT = 1_000
AT_ONCE = 100  # parts that DuckDB keeps open while it writes them
MOST_FETCHED = 2_000_000  # more rows than this are counted and summed where they are

MADE = {
    "captures": """
        SELECT 'c' || i AS capture, 'model' || (i % {models}) AS model, 'commit' || (i // {per_commit}) AS "commit",
               DATE '2020-01-01' + CAST(i // {per_commit} // 4 AS INTEGER) AS date, '{{}}' AS labels, 'made' AS source, 'tilemeter' AS system,
               'observed' AS truth, 'fits' AS verdict, 1 AS devices, 100000 + i % {models} * 1000 + i // 1000 + hash(i) % 997 AS l1_bytes,
               1499136 AS l1_limit_bytes, 'exact' AS l1_bound, 5000000 + hash(i) % 100003 AS dram_bytes, 1073741792 AS dram_limit_bytes,
               'exact' AS dram_bound, 0 AS errors, i + 1 AS sequence
        FROM range({first}, {last}) AS made(i)""",
    "owners": """
        SELECT 'c' || (k // 2) AS capture, 0 AS device, CASE WHEN k % 2 = 0 THEN 'L1' ELSE 'DRAM' END AS memory,
               'ttnn.op' || (hash(k) % 300) AS made_by, 'model.py:' || (hash(k) % 900) AS source_line, 'x' AS name, '[32, 32]' AS shape,
               'own' AS share, 1024 + hash(k) % 65536 AS bytes, false AS before_window
        FROM range(2 * {first}, 2 * {last}) AS made(k)""",
    "operations": """
        SELECT 'c' || (k // 2) AS capture, k % 2 AS node, NULL AS parent_node, 'ttnn.op' || (hash(k) % 300) AS operation,
               'model.py:' || (hash(k) % 900) AS source_line, 0 AS level, 1000 AS duration_ns, hash(k) % 65536 AS l1_bytes,
               hash(k) % 65536 AS dram_bytes, 0 AS l1_change_bytes, false AS aborted
        FROM range(2 * {first}, 2 * {last}) AS made(k)""",
}


def timed(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """Its result, seconds, and the most MiB that the process has had."""
    begin = time.perf_counter()
    result = call()
    return result, time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def make(dataset: Dataset, captures: int, collects: int) -> None:
    """A part of each collect, as it would write it; DuckDB writes those of a table at once, in a folder each, which are then renamed."""
    connection = engine()
    each = -(-captures // collects)
    for table in reversed(TABLES):
        columns = ", ".join(f'"{name}"::{kind} AS "{name}"' for name, kind in TABLES[table].items())
        folder = dataset.folder / table
        if table not in MADE:
            first = folder / f"{0:08}.parquet"
            connection.execute(f"COPY ({no_rows(table)}) TO {quoted(first)} (FORMAT parquet, COMPRESSION zstd)")
            for part in range(1, collects):
                shutil.copyfile(first, folder / f"{part:08}.parquet")
            continue
        number = "(sequence - 1)" if table == "captures" else "CAST(substr(capture, 2) AS BIGINT)"
        for begin in range(0, collects, AT_ONCE):
            bounds = {"models": MODELS, "per_commit": PER_COMMIT, "first": begin * each, "last": min((begin + AT_ONCE) * each, captures)}
            source = f"SELECT {columns}, {number} // {each} AS part FROM ({MADE[table].format(**bounds)})"
            waiting = folder / "waiting"
            connection.execute(f"COPY ({source}) TO {quoted(waiting)} (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (part))")
            for made in waiting.glob("part=*"):
                (one,) = made.iterdir()  # rows of a part lie together
                one.rename(folder / f"{int(made.name[5:]):08}.parquet")
            shutil.rmtree(waiting)


def questions(captures: int) -> dict[str, str]:
    trend = queries.PEAK_TREND
    if captures > MOST_FETCHED:
        trend = f"SELECT count(*), sum(l1_bytes), sum(dram_bytes), min(date), max(date) FROM ({trend})"
    return {"peak-trend": trend, "top-owners": queries.TOP_OWNERS.format(memory="memory = 'L1'"),
            "regressions": queries.REGRESSIONS.format(baseline="'commit1'", percent=1.0)}


def digest(rows: list[Any]) -> str:
    """Of rows in order; a number of another type is the same number."""
    seen = hashlib.sha256()
    for row in rows:
        seen.update(repr([round(float(value), 6) if isinstance(value, (int, float, decimal.Decimal)) else value for value in row]).encode())
    return seen.hexdigest()


def by_duckdb(folder: pathlib.Path, captures: int) -> dict[str, Any]:
    found = {}
    for name, text in questions(captures).items():
        rows, seconds, memory = timed(lambda text=text: Dataset(folder).connect().execute(text).fetchall())
        found[name] = {"seconds": seconds, "MiB": memory, "rows": len(rows), "digest": digest(rows)}
    return found


def by_spark(folder: pathlib.Path, captures: int) -> dict[str, Any] | None:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        return None
    begin = time.perf_counter()
    spark = (SparkSession.builder.master("local[2]").appName("fleet").config("spark.ui.enabled", "false")
             .config("spark.driver.memory", "8g").config("spark.driver.maxResultSize", "4g").config("spark.log.level", "ERROR")
             .config("spark.sql.ansi.enabled", "true").config("spark.sql.ansi.doubleQuotedIdentifiers", "true").getOrCreate())
    for table in TABLES:
        spark.read.parquet(str(folder / table)).createOrReplaceTempView(table)
    found: dict[str, Any] = {"start": {"seconds": time.perf_counter() - begin, "MiB": 0, "rows": 0, "digest": ""}}
    for name, text in questions(captures).items():
        rows, seconds, _ = timed(lambda text=text: [tuple(row) for row in spark.sql(text).collect()])
        found[name] = {"seconds": seconds, "MiB": java_memory(), "rows": len(rows), "digest": digest(rows)}
    spark.stop()
    return found


def java_memory() -> float:
    """The most MiB that the Java process has had."""
    most = 0.0
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if text.startswith("Name:\tjava\n"):
            most = max(most, *(int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith("VmHWM:")))
    return most


def alone(call: Callable[..., Any], *arguments: Any) -> Any:
    """In a process of its own, whose memory is then its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(timed_call, (call, arguments))


def timed_call(call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    return timed(lambda: call(*arguments))


def compacted(folder: pathlib.Path) -> int:
    return Dataset(folder).compact()


def main() -> int:
    words = sys.argv[1:]
    if not 1 <= len(words) <= 3 or pathlib.Path(words[0]).exists():
        print("usage: scale.py FOLDER [CAPTURES [COLLECTS]]; FOLDER must not be there", file=sys.stderr)
        return 2
    folder = pathlib.Path(words[0])
    captures, collects = int((words[1:2] or ["1000000"])[0]), int((words[2:3] or ["1000"])[0])
    _, seconds, _ = timed(lambda: make(Dataset(folder, make=True), captures, collects))
    size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    print(f"{captures:,} captures in {collects:,} collects: {size / 2**20:,.0f} MiB, made in {seconds:.1f} s")
    before, _, _ = alone(by_duckdb, folder, captures)
    parts, seconds, memory = alone(compacted, folder)
    size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
    print(f"compacted: {parts:,} parts to one, {size / 2**20:,.0f} MiB, {seconds:.1f} s, {memory:,.0f} MiB of memory")
    after, _, _ = alone(by_duckdb, folder, captures)
    spark, _, _ = alone(by_spark, folder, captures)
    print("| query | rows | DuckDB, parts | DuckDB, compacted | Spark |\n| --- | --: | --: | --: | --: |")
    shown = lambda figures: f"{figures['seconds']:.2f} s, {figures['MiB']:,.0f} MiB"
    equal = True
    for name in after:
        others = [before[name], *([spark[name]] if spark else [])]
        equal = equal and all((each["rows"], each["digest"]) == (after[name]["rows"], after[name]["digest"]) for each in others)
        print(f"| {name} | {after[name]['rows']:,} | {shown(before[name])} | {shown(after[name])} | {shown(spark[name]) if spark else 'not installed'} |")
    if spark:
        print(f"Spark starts in {spark['start']['seconds']:.1f} s.")
    print("rows are equal" if equal else "ROWS DIFFER: " + json.dumps({"before": before, "after": after, "spark": spark}))
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
