# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The captured part of each script, traced as a function: what tracing recorded is what a NO_DISPATCH capture records, a replay
gives the same values to the bit and, captured, the same nodes but for addresses; the saved plan has the replay's addresses."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest
from test_scripts import HERE, NEED_TORCH, SCRIPTS

# They read values (a convolution reads weights on the device, to prepare them on the host), or draw random numbers by a seed.
REFUSED = {
    "cached_weights": "needs_concrete_array", "files_of_tensors": "needs_concrete_array",
    "creation_on_device": "random_by_seed", "reduction_and_data_movement": "random_by_seed",
    "reduction_sampling_moe": "random_by_seed", "sliding_window_convolution_ranks": "host_values",
    "sliding_window_prepared_folding": "host_values", **dict.fromkeys(NEED_TORCH, "needs_concrete_array"),
}
NO_FUNCTION = ("in_a_thread",)  # its capture begins and ends within a function of its own


@pytest.mark.parametrize("script", [each for each in SCRIPTS if each.stem not in NO_FUNCTION], ids=lambda script: script.stem)
def test_the_captured_part_of_a_script_is_replayed_as_it_ran(
    script: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if script.stem in NEED_TORCH:
        pytest.importorskip("torch")
    monkeypatch.delenv("TILEMETER_DEVICE", raising=False)
    command = [sys.executable, str(HERE / "traced_script.py"), str(script), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"refused {REFUSED[script.stem]}" if script.stem in REFUSED else "equal"]
