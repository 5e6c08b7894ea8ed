# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""`python -m tilemeter demo`."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

from test_captures_in_verbs import tilemeter as program


def demo(*arguments: str, cwd: pathlib.Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "tilemeter", "demo", *arguments], cwd=cwd, capture_output=True, text=True)


def test_the_demo_has_a_capture_that_fits_and_one_that_does_not(tmp_path: pathlib.Path) -> None:
    done = demo(cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    folder = tmp_path / "tilemeter-demo"
    assert json.loads(program("summary", "--json", folder / "fits.json"))["verdict"] == "fits"
    clash = json.loads(program("explain", "--json", folder / "clashes.json"))
    assert clash["verdict"] == "does_not_fit" and "clash" in json.dumps(clash)
    assert done.stdout.index("fits: ") < done.stdout.index("does not fit: ") < done.stdout.index("Your own report:")
    page = pathlib.Path(done.stdout.splitlines()[-1].strip())
    assert page == folder / "clashes.html" and "</html>" in page.read_text()


def test_a_second_run_and_a_folder_of_ones_own(tmp_path: pathlib.Path) -> None:
    for _ in range(2):
        assert demo("own/folder", cwd=tmp_path).returncode == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["own"]


def test_wrong_usage_and_bad_folders_are_one_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("")
    for arguments, status in ((["a", "b"], 2), (["--wrong"], 2), (["file"], 1)):
        done = demo(*arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (status, "", 1), done
    assert demo("--help", cwd=tmp_path).returncode == 0
