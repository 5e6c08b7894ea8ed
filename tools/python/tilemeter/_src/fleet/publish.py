# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Peaks to where people already look: OpenTelemetry's metrics as JSON, MLflow's current run."""

from __future__ import annotations

import http.client
import json
import pathlib
import re
import time
import urllib.request
from typing import Any, Mapping, Sequence

from tilemeter import _tilemeter
from tilemeter._src.fleet.dataset import FleetError


def _attributes(labels: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in labels.items()]


def otlp(captures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """An ExportMetricsServiceRequest in OTLP's JSON form: gauges tilemeter.memory.peak, .limit and .headroom in bytes."""
    now = str(time.time_ns())
    points: dict[str, list[Any]] = {"peak": [], "limit": [], "headroom": []}
    for capture in captures:
        for memory in ("l1", "dram"):
            labels = {**json.loads(capture["labels"]), "model": capture["model"], "memory": memory.upper(), "verdict": capture["verdict"]}
            limit = capture[f"{memory}_limit_bytes"]
            values = {"peak": capture[f"{memory}_bytes"], "limit": limit, "headroom": None if limit is None else limit - capture[f"{memory}_bytes"]}
            for name, value in values.items():
                if value is not None:
                    points[name].append({"attributes": _attributes(labels), "timeUnixNano": now, "asInt": str(value)})
    metrics = [{"name": f"tilemeter.memory.{name}", "unit": "By", "gauge": {"dataPoints": each}} for name, each in points.items() if each]
    return {"resourceMetrics": [{"resource": {"attributes": _attributes({"service.name": "tilemeter"})},
                                 "scopeMetrics": [{"scope": {"name": "tilemeter"}, "metrics": metrics}]}]}


def send_otlp(target: str, captures: Sequence[Mapping[str, Any]]) -> None:
    """To a file, a line appended, or by POST to an address (http or https, as /v1/metrics). Raises FleetError."""
    text = json.dumps(otlp(captures), separators=(",", ":"))
    try:
        if not target.startswith(("http://", "https://")):
            with open(target, "a") as file:
                file.write(text + "\n")
            return
        request = urllib.request.Request(target, text.encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30):
            pass
    except (OSError, ValueError, http.client.HTTPException) as error:  # a refusal, what is no address, what is no answer
        raise FleetError(f"{target}: metrics were not taken: {error}") from None


def send_mlflow(captures: Sequence[Mapping[str, Any]]) -> None:
    """Peaks as metrics, and each report's page as an artifact, of the current run. Raises FleetError."""
    try:
        import mlflow
    except ImportError:
        raise FleetError("--mlflow needs MLflow, which is not installed: pip install mlflow-skinny") from None
    try:
        for capture in captures:
            _log_capture(mlflow, capture)
    except FleetError:
        raise
    except Exception as error:  # MLflow's own, and those of its store and of the way there
        raise FleetError(f"--mlflow: the run took no metrics: {(str(error) or type(error).__name__).splitlines()[0]}") from None


def _log_capture(mlflow: Any, capture: Mapping[str, Any]) -> None:
    import tempfile

    # MLflow's names have letters, digits and few signs; a file's name has no slash.
    model = re.sub(r"[^\w. -]", "_", capture["model"], flags=re.ASCII)
    for memory in ("l1", "dram"):
        mlflow.log_metric(f"tilemeter.memory.peak.{memory}.{model}", capture[f"{memory}_bytes"])
    if capture["source"].endswith(".sqlite"):
        return
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / f"{model}.html"
        ((status, _, errors),) = _tilemeter.run_verbs([["html", capture["source"], "-o", str(page)]], {})
        if status in (1, 2):
            raise FleetError(errors.decode(errors="replace").strip())
        mlflow.log_artifact(str(page), "tilemeter")
