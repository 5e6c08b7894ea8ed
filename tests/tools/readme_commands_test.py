#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the commands of the READMEs print what the READMEs say?

    usage: readme_commands_test.py PROGRAMS_FOLDER

A ```text block that begins with `$ ` is a session: each line `$ COMMAND` runs in a folder that holds the recorded
reports of tests/data/reports, with the programs on the path; the lines below it are what it prints. `...` stands for
the rest of a line, or, alone in a line, for any lines. `# exit status N` behind a command is what it ends with, 0
unless said.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```text\n(\$ .*?)^```$", re.MULTILINE | re.DOTALL)
STATUS = re.compile(r"\s+# exit status (\d+)$")


def sessions():
    for path in sorted(ROOT.rglob("*.md")):
        relative = path.relative_to(ROOT)
        if any(part.startswith((".", "build")) for part in relative.parts):
            continue
        for number, block in enumerate(BLOCK.findall(path.read_text(encoding="utf-8"))):
            steps = []
            for line in block.splitlines():
                if line.startswith("$ "):
                    status = STATUS.search(line)
                    steps.append((STATUS.sub("", line[2:]), int(status[1]) if status else 0, []))
                else:
                    steps[-1][2].append(line)
            for command, status, expected in steps:
                yield f"{relative}, block {number + 1}", command, status, expected


def pattern_of(expected):
    text = ""
    for line in expected:
        if line.strip() == "...":
            text += r"(?:.*\n)*"
        else:
            text += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r" *\n"
    return re.compile(text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", type=pathlib.Path)
    programs = parser.parse_args().programs.resolve()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for report in (ROOT / "tests" / "data" / "reports").iterdir():
            os.symlink(report, pathlib.Path(folder) / report.name)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        for where, command, status, expected in sessions():
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
            if done.returncode == status and pattern_of(expected).fullmatch(done.stdout):
                passed += 1
                continue
            failed += 1
            print(f"FAIL {where}: {command}\nexit status {done.returncode}, expected {status}; it prints:\n{done.stdout}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
