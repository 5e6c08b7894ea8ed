# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Every verb of `tilemeter` on terminals of 40 to 200 columns: no line is wider, no word is broken.

    usage: terminal_widths.py FOLDER_OF_PROGRAMS TESTS_DATA [--every N]

Each call runs into a pipe and on terminals. What a terminal shows is made of words of the pipe's output: whole ones, or pieces
that begin and end where a name has a part (ttnn . transformer . scaled _ dot; Binary Ng Device Operation), never within a
number. A pipe gets no colour, no bar, no ellipsis of ours; JSON and documents are the same on both. --every: the widths are that
many columns apart.
"""

import argparse
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata

COLOUR = re.compile("\x1b\\[[0-9;]*m")
BAR = re.compile("[█▏▎▍▌▋▊▉]+")
VERBS = ("peak explain fit tightest timeline tree print levelized diff check configs svg html perfetto summary figures "
         "recover overhead graph sizes phases memory open watch").split()


def on_terminal(command, columns):
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execve(command[0], command, dict(os.environ, TERM="xterm-256color"))
    output = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the terminal is gone with its last process
            break
        if not piece:
            break
        output += piece
    os.close(terminal)
    os.waitpid(child, 0)
    return output.decode(errors="replace").replace("\r\n", "\n")


def in_pipe(command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.stdout.decode(errors="replace")


def columns_of(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def ends_word(text, at):
    """True if a word of the text ends before `at`."""
    if at in (0, len(text)):
        return True
    left, right = text[at - 1], text[at]
    if (left.isalnum() or ord(left) > 127) and (right.isalnum() or ord(right) > 127):
        return left.islower() and right.isupper()
    before, behind = text[at - 2 : at - 1], text[at + 1 : at + 2]
    in_number = (left in ",." and before.isdigit() and right.isdigit()) or (left.isdigit() and right in ",." and behind.isdigit())
    return not in_number


def is_piece(piece, words):
    for word in words:
        at = word.find(piece)
        while at >= 0:
            if ends_word(word, at) and ends_word(word, at + len(piece)):
                return True
            at = word.find(piece, at + 1)
    return False


def faults(shown, whole, columns):
    found, known = [], set(whole.split())
    for line in shown.split("\n"):
        plain = COLOUR.sub("", line)
        if columns_of(plain) > columns:
            found.append(f"{columns_of(plain)} columns: {plain}")
        for word in BAR.sub(" ", plain).replace("…", " ").split():
            if word not in known and not is_piece(word, known):
                found.append(f"a broken word '{word}': {plain}")
            known.add(word)
    return found


def calls(data):
    reports = [
        data / "capture" / f"{name}.report.json"
        for name in ("attention_sdpa.n150.NORMAL", "error_clash.n150.NORMAL", "edge_unicode_name.n150.NORMAL", "mesh_mlp.n300.NORMAL")
    ]
    failed = data / "failures" / "l1_fragmented.n150.report.json"
    graph = data / "trace" / "square_of_softmax.graph"
    for report in (*reports, failed):
        for verb in ("peak", "explain", "tightest", "timeline", "tree", "print", "levelized", "configs", "summary", "figures"):
            yield [verb, report]
        yield ["peak", "--by", "operation", report]
        yield ["peak", "--by", "shape", report]
        yield ["timeline", "--at", "10", report]
        yield ["timeline", "--late", report]
        yield ["timeline", "--alive-at-end", report]
        yield ["timeline", "--placement", report]
        yield ["fit", report, "--device", "p150"]
        yield ["check", report, "--max-l1", "80%"]
    yield ["diff", reports[0], reports[1]]
    for form in ("text", "table", "trace", "flat"):
        yield ["graph", graph, "--as", form]
    yield ["graph", graph, "--passes"]
    yield ["--help"]
    for verb in VERBS:
        yield [verb, "--help"]


def documents(data):
    report = data / "capture" / "error_clash.n150.NORMAL.report.json"
    for verb in ("svg", "html", "perfetto"):
        yield [verb, report]
    yield ["timeline", "--csv", report]
    for verb in ("peak", "explain", "timeline", "tree", "configs"):
        yield [verb, report, "--json"]
    yield ["graph", data / "trace" / "square_of_softmax.graph", "--as", "svg"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=40)
    options = parser.parse_args()
    program = str(options.programs / "tilemeter")
    passed = failed = 0

    def judge(call, found):
        nonlocal passed, failed
        passed, failed = passed + (not found), failed + bool(found)
        if found:
            print(f"tilemeter {' '.join(map(str, call))}: {len(found)} faults, the first: {found[0]}")

    for call in calls(options.data):
        command = [program, *map(str, call)]
        whole = in_pipe(command)
        judge(call, [what for what in ("\x1b", "█") if what in whole] or ([] if whole else ["nothing was printed"]))
        for columns in range(40, 201, options.every):
            judge([f"({columns})", *call], faults(on_terminal(command, columns), whole, columns))
    for call in documents(options.data):
        command = [program, *map(str, call)]
        judge(call, [] if on_terminal(command, 60) == in_pipe(command) else ["a terminal has another text than a pipe"])
    bars = [on_terminal([program, "peak", str(options.data / "capture" / "add.n150.NORMAL.report.json")], columns) for columns in (50, 100)]
    judge(["peak (bars)"], [] if "█" not in bars[0] and "█" in bars[1] else ["bars at 50 columns, or none at 100"])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
