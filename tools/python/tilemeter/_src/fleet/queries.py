# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Questions to a dataset, each one SQL text, which other engines take as well."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

from tilemeter._src.fleet.dataset import Dataset, FleetError, quoted

PEAK_TREND = """
SELECT model, "commit", CAST(date AS STRING) AS date, l1_bytes, dram_bytes
FROM captures
ORDER BY captures.date, model, sequence
"""

TOP_OWNERS = """
SELECT made_by, CAST(sum(bytes) AS BIGINT) AS bytes, count(DISTINCT capture) AS captures
FROM owners
WHERE {memory}
GROUP BY made_by
ORDER BY bytes DESC, made_by
"""

REGRESSIONS = """
WITH ranked AS (
    SELECT model, "commit", l1_bytes, date, sequence,
           row_number() OVER (PARTITION BY model ORDER BY date DESC, sequence DESC) AS newest,
           row_number() OVER (PARTITION BY model, "commit" ORDER BY date DESC, sequence DESC) AS newest_of_commit
    FROM captures
), compared AS (
    SELECT now.model, now.l1_bytes, base.l1_bytes AS baseline_bytes,
           CASE WHEN base.l1_bytes = 0 THEN NULL ELSE CAST(now.l1_bytes AS DOUBLE) / base.l1_bytes END AS ratio
    FROM ranked AS now
    JOIN ranked AS base ON base.model = now.model AND base."commit" = {baseline} AND base.newest_of_commit = 1
    WHERE now.newest = 1
)
SELECT model, l1_bytes, baseline_bytes, ratio
FROM compared
WHERE l1_bytes * 100.0 > baseline_bytes * (100.0 + {percent})
ORDER BY ratio DESC NULLS FIRST, model
"""


def ask(dataset: Dataset, text: str) -> list[dict[str, Any]]:
    """The rows of a query. Raises FleetError with the engine's first line."""
    try:
        found = dataset.connect().execute(text)
        names = [column[0] for column in found.description or ()]
        return [{name: _plain(value) for name, value in zip(names, row)} for row in found.fetchall()]
    except FleetError:
        raise
    except Exception as error:
        raise FleetError(f"{dataset.folder}: {str(error).splitlines()[0]}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return int(value) if value == int(value) else float(value)
    return value


def peak_trend(dataset: Dataset) -> list[dict[str, Any]]:
    """A row per capture: its highest peaks, of L1 per core and of DRAM per bank."""
    return ask(dataset, PEAK_TREND)


def top_owners(dataset: Dataset, memory: str | None = None) -> list[dict[str, Any]]:
    """Who holds most, summed over the peaks of all captures; `memory`: "L1" or "DRAM", None: both."""
    if memory not in (None, "L1", "DRAM"):
        raise FleetError(f"--memory: expected L1 or DRAM, found {memory}")
    return ask(dataset, TOP_OWNERS.format(memory="true" if memory is None else f"memory = {quoted(memory)}"))


def regressions(dataset: Dataset, baseline: str, percent: float = 0.0) -> list[dict[str, Any]]:
    """Models whose newest capture takes more L1 per core than the baseline's newest by more than `percent`."""
    if not ask(dataset, f'SELECT 1 FROM captures WHERE "commit" = {quoted(baseline)} LIMIT 1'):
        raise FleetError(f"{dataset.folder}: expected captures of commit {baseline}, found none")
    return ask(dataset, REGRESSIONS.format(baseline=quoted(baseline), percent=float(percent)))
