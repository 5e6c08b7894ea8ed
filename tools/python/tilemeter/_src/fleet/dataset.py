# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The files of a dataset.

    DATASET/tilemeter.json            {"schema": "tilemeter.fleet/1"}
    DATASET/captures/PART.parquet     a row per capture
    DATASET/owners/PART.parquet       who holds memory at each device's peaks
    DATASET/operations/PART.parquet   what each operation took
    DATASET/lifetimes/PART.parquet    from when to when each allocation lived

A collect writes one part: a file of its name in each folder. A file under another ending is not there yet, or no longer.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import uuid
from typing import Any, Iterator, Mapping, Sequence

SCHEMA = "tilemeter.fleet/1"
# Types of columns in SQL. Sizes are bytes: of L1 per core, of DRAM per bank.
TABLES: dict[str, dict[str, str]] = {
    "captures": {
        "capture": "VARCHAR", "model": "VARCHAR", "commit": "VARCHAR", "date": "DATE", "labels": "VARCHAR", "source": "VARCHAR",
        "system": "VARCHAR", "truth": "VARCHAR", "verdict": "VARCHAR", "devices": "BIGINT", "l1_bytes": "BIGINT", "l1_limit_bytes": "BIGINT",
        "l1_bound": "VARCHAR", "dram_bytes": "BIGINT", "dram_limit_bytes": "BIGINT", "dram_bound": "VARCHAR", "errors": "BIGINT",
        "sequence": "BIGINT",
    },
    "owners": {
        "capture": "VARCHAR", "device": "BIGINT", "memory": "VARCHAR", "made_by": "VARCHAR", "source_line": "VARCHAR", "name": "VARCHAR",
        "shape": "VARCHAR", "share": "VARCHAR", "bytes": "BIGINT", "before_window": "BOOLEAN",
    },
    "operations": {
        "capture": "VARCHAR", "node": "BIGINT", "parent_node": "BIGINT", "operation": "VARCHAR", "source_line": "VARCHAR", "level": "BIGINT",
        "duration_ns": "BIGINT", "l1_bytes": "BIGINT", "dram_bytes": "BIGINT", "l1_change_bytes": "BIGINT", "aborted": "BOOLEAN",
    },
    "lifetimes": {
        "capture": "VARCHAR", "device": "BIGINT", "memory": "VARCHAR", "address": "BIGINT", "bytes": "BIGINT", "made_by": "VARCHAR",
        "begin_node": "BIGINT", "end_node": "BIGINT",
    },
}
_NUMPY = {"BIGINT": "int64", "BOOLEAN": "bool"}


# The extra `fleet` asks for the same; by its name it is found only where the wheel is installed already.
INSTALL = "pip install duckdb"


class FleetError(Exception):
    """One line: which file, what was expected, what was found."""


def engine() -> Any:
    """A connection to DuckDB in memory."""
    try:
        import duckdb
    except ImportError:
        raise FleetError(f"a dataset needs DuckDB, which is not installed: {INSTALL}") from None
    return duckdb.connect()


def quoted(text: str | os.PathLike[str]) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def no_rows(table: str) -> str:
    """A query that gives a table's columns, with their types, and nothing in them."""
    return "SELECT " + ", ".join(f"NULL::{kind} AS \"{name}\"" for name, kind in TABLES[table].items()) + " WHERE false"


class Dataset:
    """A folder of Parquet files; made where there is none, if `make`. Raises FleetError."""

    def __init__(self, folder: str | os.PathLike[str], make: bool = False) -> None:
        self.folder = pathlib.Path(folder)
        marker = self.folder / "tilemeter.json"
        if make and not marker.exists():
            try:
                if self.folder.exists() and any(self.folder.iterdir()):
                    raise FleetError(f"{self.folder}: expected a dataset or an empty folder, found other files")
                for table in TABLES:
                    (self.folder / table).mkdir(parents=True, exist_ok=True)
                self._put(marker, json.dumps({"schema": SCHEMA}) + "\n")
            except OSError as error:
                raise FleetError(f"{self.folder}: cannot be made: {error.strerror}") from None
        try:
            found = json.loads(marker.read_text())["schema"]
        except OSError as error:
            raise FleetError(f"{self.folder}: expected a dataset, found no tilemeter.json ({error.strerror})") from None
        except (ValueError, KeyError, TypeError):
            raise FleetError(f"{marker}: expected a schema, found a damaged file") from None
        if found != SCHEMA:
            raise FleetError(f"{self.folder}: expected a dataset of {SCHEMA}, found {found}")

    @staticmethod
    def _put(path: pathlib.Path, text: str) -> None:
        waiting = path.with_suffix(f".{uuid.uuid4().hex}.new")
        waiting.write_text(text)
        os.replace(waiting, path)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """One writer at a time; what a killed one left is cleared away first."""
        with open(self.folder / ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._finish_compaction()
            for table in TABLES:
                for left in (self.folder / table).glob("*.new"):
                    left.unlink()
            # The captures of a part come last: without them the rest is not there.
            parts = {path.name for path in (self.folder / "captures").glob("*.parquet")}
            for table in list(TABLES)[1:]:
                for left in (self.folder / table).glob("*.parquet"):
                    if left.name not in parts:
                        left.unlink()
            yield

    def parts(self, table: str) -> list[pathlib.Path]:
        return sorted((self.folder / table).glob("*.parquet"))

    def connect(self) -> Any:
        """DuckDB with a view for each table. What was half written by a killed writer is not seen."""
        connection = engine()
        parts = {path.name for path in self.parts("captures")} - self._replaced()
        for table in TABLES:
            files = [path for path in self.parts(table) if path.name in parts]
            if files:
                names = ", ".join(quoted(path) for path in files)
                source = f"SELECT * FROM read_parquet([{names}])"
            else:
                source = no_rows(table)
            connection.execute(f"CREATE VIEW {table} AS {source}")
        return connection

    def known(self) -> set[str]:
        return {row[0] for row in self.connect().execute("SELECT capture FROM captures").fetchall()}

    def next_sequence(self) -> int:
        return int(self.connect().execute("SELECT coalesce(max(sequence), 0) + 1 FROM captures").fetchone()[0])

    def write(self, rows: Mapping[str, Sequence[Mapping[str, Any]]], name: str | None = None) -> None:
        """Adds a part. REQUIRES: the lock."""
        name = (name or uuid.uuid4().hex) + ".parquet"
        connection = engine()
        made: list[tuple[pathlib.Path, pathlib.Path]] = []
        try:
            for table in reversed(TABLES):
                waiting = self.folder / table / (name + ".new")
                made.append((waiting, self.folder / table / name))
                _write_table(connection, table, rows[table], waiting)
            for waiting, path in made:
                os.replace(waiting, path)
        except Exception as error:  # DuckDB has errors of its own for a full disk
            for waiting, path in made:
                waiting.unlink(missing_ok=True)
                path.unlink(missing_ok=True)
            raise FleetError(f"{self.folder}: cannot be written: {str(error).splitlines()[0]}") from None

    def _journal(self) -> dict[str, Any]:
        """The last compaction: the `new` part, and the `old` ones that it has replaced as soon as its captures are there."""
        try:
            found = json.loads((self.folder / "compacted.json").read_text())
            return found if isinstance(found, dict) else {}
        except (OSError, ValueError):
            return {}

    def _replaced(self) -> set[str]:
        journal = self._journal()
        return set(journal.get("old", ())) if (self.folder / "captures" / journal.get("new", ".")).is_file() else set()

    def _finish_compaction(self) -> None:
        for name in self._replaced():
            for table in TABLES:
                (self.folder / table / name).unlink(missing_ok=True)
        (self.folder / "compacted.json").unlink(missing_ok=True)

    def compact(self) -> int:
        """All parts into one, captures in the order in which they were collected; gives how many there were."""
        with self.locked():
            old = [path.name for path in self.parts("captures")]
            if len(old) < 2:
                return len(old)
            connection = self.connect()
            name = uuid.uuid4().hex + ".parquet"
            made = []
            try:
                for table in reversed(TABLES):
                    waiting = self.folder / table / (name + ".new")
                    made.append((waiting, self.folder / table / name))
                    # Rows of a capture lie together already: to sort what is many times more would take memory for nothing.
                    order = " ORDER BY sequence" if table == "captures" else ""
                    connection.execute(f"COPY (SELECT * FROM {table}{order}) TO {quoted(waiting)} (FORMAT parquet, COMPRESSION zstd)")
                self._put(self.folder / "compacted.json", json.dumps({"new": name, "old": old}))
                for waiting, path in made:  # captures last: readers change over with them
                    os.replace(waiting, path)
            except Exception as error:
                for waiting, path in made:
                    waiting.unlink(missing_ok=True)
                    path.unlink(missing_ok=True)
                raise FleetError(f"{self.folder}: cannot be written: {str(error).splitlines()[0]}") from None
            self._finish_compaction()
            return len(old)


def _write_table(connection: Any, table: str, rows: Sequence[Mapping[str, Any]], path: pathlib.Path) -> None:
    import numpy

    columns = {}
    chosen = []
    for name, kind in TABLES[table].items():
        values = [row[name] for row in rows]
        if kind in _NUMPY:
            columns[name] = numpy.array([0 if value is None else value for value in values], dtype=_NUMPY[kind])
            # DuckDB before 2.0 passes over the mask of an array.
            columns[f"no {name}"] = numpy.array([value is None for value in values], dtype=bool)
            chosen.append(f'CASE WHEN "no {name}" THEN NULL ELSE "{name}"::{kind} END AS "{name}"')
        else:
            columns[name] = numpy.array(values, dtype=object)
            chosen.append(f'"{name}"::{kind} AS "{name}"')
    if rows:
        connection.register("given", columns)
        source = f"SELECT {', '.join(chosen)} FROM given"
    else:
        source = no_rows(table)
    connection.execute(f"COPY ({source}) TO {quoted(path)} (FORMAT parquet, COMPRESSION zstd)")
    if rows:
        connection.unregister("given")
