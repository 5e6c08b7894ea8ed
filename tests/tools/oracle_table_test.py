#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the table of agreement in runtime/AGREEMENT.md is the one that oracle_check --table prints.

    usage: oracle_table_test.py PROGRAM [--update]

PROGRAM is oracle_check. --update writes the table into the document instead: after rows were recorded or a family added.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "runtime" / "AGREEMENT.md"
BEGIN = "<!-- begin: oracle_check --table tests/data/oracle/*.jsonl -->\n"
END = "<!-- end: oracle_check --table -->\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    rows = sorted((ROOT / "tests" / "data" / "oracle").glob("*.jsonl"))
    done = subprocess.run([options.program, "--table", *rows], stdout=subprocess.PIPE, text=True, check=False)
    before, begin, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    table, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"oracle_table_test.py: {DOCUMENT}: expected the lines {BEGIN.strip()} and {END.strip()}")
    if done.returncode != 0:
        sys.exit(f"oracle_table_test.py: {options.program} --table: exit status {done.returncode}\n{done.stdout}")
    if options.update:
        DOCUMENT.write_text(before + BEGIN + done.stdout + END + after, encoding="utf-8")
    elif table != done.stdout:
        sys.exit(f"oracle_table_test.py: {DOCUMENT}: expected the table below; --update writes it\n{done.stdout}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
