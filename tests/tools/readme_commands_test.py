#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the commands of the READMEs print what the READMEs say?

    usage: readme_commands_test.py PROGRAMS_FOLDER

A ```text block that begins with `$ ` is a session: each line `$ COMMAND` runs in a folder that holds the recorded
reports of tests/data/reports, with the programs on the path; the lines below it are what it prints. `...` stands for
the rest of a line, or, alone in a line, for any lines. `# exit status N` behind a command is what it ends with, 0
unless said. Sessions that need the Python package are ```console blocks: tests/python/test_documents.py runs them.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATUS = re.compile(r"\s+# exit status (\d+)$")


def sessions_of(path, language):
    """The commands of a document's sessions, each with the block's number, exit status and lines that it prints."""
    block = re.compile(rf"^```{language}\n(\$ .*?)^```$", re.MULTILINE | re.DOTALL)
    for number, text in enumerate(block.findall(path.read_text(encoding="utf-8"))):
        steps = []
        for line in text.splitlines():
            if line.startswith("$ "):
                status = STATUS.search(line)
                steps.append((STATUS.sub("", line[2:]), int(status[1]) if status else 0, []))
            else:
                steps[-1][2].append(line)
        for command, status, expected in steps:
            yield number + 1, command, status, expected


def documents():
    """Paths in the repository. Folders of builds, dist and hidden ones are not entered: others' files come and go there."""
    every = (path.relative_to(ROOT) for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("[!.bd]*/**/*.md")]))
    return [path for path in every if not any(part.startswith((".", "build")) for part in path.parts)]


def sessions():
    for path in documents():
        for number, *step in sessions_of(ROOT / path, "text"):
            yield f"{path}, block {number}", *step


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
