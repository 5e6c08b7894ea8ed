# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Switches, with TT-NN's names, defaults and sources.

Sources, later ones win: defaults, the file named by TTNN_CONFIG_PATH (what it gets wrong is only warned about),
the JSON text in TTNN_CONFIG_OVERRIDES (strict: a mistake ends the process), assignment.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import struct
import sys
import time
import warnings
from typing import Any, Iterator

from tilemeter._tilemeter import recording

_DEFAULTS: dict[str, Any] = {
    "cache_path": pathlib.Path.home() / ".cache" / "ttnn",
    "model_cache_path": pathlib.Path.home() / ".cache" / "ttnn" / "models",
    "tmp_dir": pathlib.Path("/tmp/ttnn"),
    "enable_model_cache": False,
    "enable_fast_runtime_mode": True,
    "validate_program_args": False,
    "throw_exception_on_fallback": False,
    "enable_logging": False,
    "enable_graph_report": False,
    "enable_graph_python_stack_traces": False,
    "enable_detailed_buffer_report": False,
    "enable_detailed_tensor_report": False,
    "enable_comparison_mode": False,
    "comparison_mode_should_raise_exception": False,
    "comparison_mode_pcc": struct.unpack("f", struct.pack("f", 0.9999))[0],
    "root_report_path": pathlib.Path("generated/ttnn/reports"),
    "report_name": None,
    "strict_ccl_topology": False,
}
_PATHS = frozenset({"cache_path", "model_cache_path", "tmp_dir", "root_report_path"})


def _checked(name: str, value: Any) -> Any:
    """`value` in the type that the key has. Raises TypeError."""
    if name in _PATHS or name == "report_name":
        if name == "report_name" and value is None:
            return None
        if not isinstance(value, (str, os.PathLike)):
            raise TypeError(f"{name}: expected a text, got {type(value).__name__}")
        return os.fspath(value) if name == "report_name" else pathlib.Path(value)
    if name == "comparison_mode_pcc":
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"{name}: expected a number, got {type(value).__name__}")
        return struct.unpack("f", struct.pack("f", value))[0]
    if not isinstance(value, bool):
        raise TypeError(f"{name}: expected a bool, got {type(value).__name__}")
    return value


class Config:
    """The switches as attributes. Unknown names raise AttributeError, wrong types TypeError."""

    enable_fast_runtime_mode: bool
    enable_graph_report: bool
    enable_graph_python_stack_traces: bool
    enable_detailed_buffer_report: bool
    enable_detailed_tensor_report: bool
    enable_comparison_mode: bool
    enable_model_cache: bool
    comparison_mode_should_raise_exception: bool
    comparison_mode_pcc: float
    enable_logging: bool
    cache_path: pathlib.Path
    model_cache_path: pathlib.Path
    tmp_dir: pathlib.Path
    root_report_path: pathlib.Path
    report_name: str | None

    def __init__(self, other: Config | None = None, /) -> None:
        """The defaults, or a copy. Only CONFIG decides what is recorded."""
        if other is not None and not isinstance(other, Config):
            raise TypeError(f"Config: expected a Config, got {type(other).__name__}")
        self.__dict__.update(_DEFAULTS if other is None else other.__dict__)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _DEFAULTS:
            raise AttributeError(f"Unknown configuration key: {name}")
        self.__dict__[name] = _checked(name, value)
        if self is globals().get("CONFIG"):
            self._apply()

    def _apply(self) -> None:
        recording.slow = self.enable_comparison_mode or not self.enable_fast_runtime_mode

    def keys(self) -> list[str]:
        """Names of all switches."""
        return list(_DEFAULTS)

    def __repr__(self) -> str:
        def text(value: Any) -> str:
            if value is None:
                return "std::nullopt"
            return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)

        values = ",".join(f"{name}={text(value)}" for name, value in self.__dict__.items())
        return f"Config{{{values},{text(self.report_path)}}}"

    @property
    def report_path(self) -> pathlib.Path | None:
        """The folder of this run's reports; None without a report_name."""
        if self.report_name is None:
            return None
        name = re.sub(rb"[^A-Za-z0-9]+", b"_", self.report_name.encode()[:64]).strip(b"_").decode()
        moment = time.localtime()
        month = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")[moment.tm_mon - 1]
        stamp = f"{month}{moment.tm_mday:02d}_{moment.tm_hour:02d}{moment.tm_min:02d}"
        return self.root_report_path / f"{name}_{stamp}"

    def apply_json_overrides(self, json_text: str, strict: bool = True, source: str = "") -> None:
        """Sets what a JSON object says. Raises RuntimeError; without `strict` mistakes are warned about."""
        origin = f" (from {source})" if source else ""
        try:
            values = json.loads(json_text)
            if not isinstance(values, dict):
                raise ValueError("expected an object")
        except ValueError as error:
            message = f"TTNN config overrides are not valid JSON: {error}{origin}"
            if strict:
                raise RuntimeError(message) from None
            warnings.warn(message, stacklevel=2)
            return
        for name, value in values.items():
            try:
                if name == "report_path":
                    continue
                if name not in _DEFAULTS:
                    raise RuntimeError(f"Unknown configuration key: {name}{origin}")
                try:
                    setattr(self, name, value)
                except TypeError as error:
                    raise RuntimeError(f"Bad value for configuration key {error}{origin}") from None
            except RuntimeError as error:
                if strict:
                    raise
                warnings.warn(str(error), stacklevel=2)

    def load_from_file(self, path: str | os.PathLike[str]) -> None:
        """Takes over a JSON file; keys and values that make no sense are warned about, and a file that is not there."""
        if not os.path.exists(path):
            warnings.warn(f"configuration file {os.fspath(path)}: not there, nothing is changed", stacklevel=3)
            return
        with open(path, encoding="utf-8") as file:
            self.apply_json_overrides(file.read(), strict=False, source=str(path))

    def save_to_file(self, path: str | os.PathLike[str]) -> None:
        """Writes all values as JSON."""
        values = dict(self.__dict__)
        values["report_path"] = None if self.report_path is None else str(self.report_path)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(values, file, indent=4, default=str)


CONFIG_PATH = os.environ.get("TTNN_CONFIG_PATH")
CONFIG_OVERRIDES = os.environ.get("TTNN_CONFIG_OVERRIDES")


def _configured() -> Config:
    config = Config()
    if CONFIG_PATH and os.path.exists(CONFIG_PATH):
        config.load_from_file(CONFIG_PATH)
    if CONFIG_OVERRIDES:
        try:
            config.apply_json_overrides(CONFIG_OVERRIDES, source="TTNN_CONFIG_OVERRIDES")
        except RuntimeError as error:
            print(error, file=sys.stderr)
            raise SystemExit(1) from None
    return config


CONFIG = _configured()
CONFIG._apply()


def load_config_from_dictionary(config: dict[str, Any], from_file: bool = False, source: object = None) -> None:
    """Raises ValueError for unknown keys and bad values, unless they come from a file."""
    try:
        CONFIG.apply_json_overrides(json.dumps(config, default=str), strict=not from_file, source=str(source or ""))
    except RuntimeError as error:
        raise ValueError(str(error)) from error


def load_config_from_json_file(json_path: str | os.PathLike[str]) -> None:
    """CONFIG takes over a JSON file."""
    CONFIG.load_from_file(json_path)


def save_config_to_json_file(json_path: str | os.PathLike[str]) -> None:
    """Writes CONFIG as JSON."""
    CONFIG.save_to_file(json_path)


@contextlib.contextmanager
def manage_config(name: str, value: Any) -> Iterator[None]:
    """A switch for the length of a block."""
    before = getattr(CONFIG, name)
    setattr(CONFIG, name, value)
    try:
        yield
    finally:
        setattr(CONFIG, name, before)
