#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `tilemeter` stand whatever it is called with?

    usage: random_arguments.py TILEMETER REPORT [--count N] [--seed S] [--other FILE] [--verbose]

Calls random verbs with random options, which it learns from each verb's --help, and random values: numbers that are
negative, huge, empty or none; sizes and shares; texts that are not UTF-8; files that are missing, empty, folders,
devices, pipes, the input as the output. Each call has to end by itself with status 0 to 4; with one line on standard
error if it is 1 or 2 (`check`: one for each bad report); with an object on standard output if --json is among the options; it may neither change a file
that is there (reports, sidecars) nor leave anything but what it was told to write. A figure beyond 2^63 in the
answer is a wrap. Last line `N calls, M failed`; exit status 1 if M is not 0.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

NUMBERS = [b"0", b"1", b"-1", b"3", b"-5", b"12", b"1000000", b"4294967296", b"18446744073709551615", b"-9223372036854775808",
           b"99999999999999999999999", b"1e300", b"nan", b"inf", b"0x10", b"1.5", b"", b" ", b"+7", b"1,5", b"--5"]
SIZES = [b"1MiB", b"1.2 MB", b"80%", b"0%", b"100%", b"101%", b"-3%", b"1 EiB", b"MiB", b"%", b"512 kib", b"1_000", b"9e99MiB"]
TEXTS = [b"", b"n150", b"p150", b"n300", b"hello", b"\xff\xfe", b"'\"`$(x)", b"\xc3\xa9", b"a" * 5000, b"--", b"line\nbreak",
         b"ttnn.add", b"*", b"[", b"Out of Memory: Not enough space to allocate 1 B L1 buffer across 1 banks, where each "
         b"bank needs to store 1 B, but bank size is 1 B"]
OUTPUTS = (b"--output", b"-o", b"--summary-md", b"--junit")
OPTION = re.compile(rb"^\s+(?:(-\w),\s*)?(--[\w-]+)(.*)$", re.MULTILINE)


class Caller:
    def __init__(self, program, folder, random_):
        self.program, self.folder, self.random = os.fsencode(program), folder, random_
        help_ = subprocess.run([program, "--help"], capture_output=True, check=True).stdout
        listed = help_[help_.index(b"ubcommands:"):] if b"ubcommands:" in help_ else help_[help_.index(b"SUBCOMMANDS:"):]
        # attach becomes whatever program it is given, open serves until Ctrl-C.
        self.verbs = [verb for verb in re.findall(rb"^\s\s([\w-]+)\s", listed, re.MULTILINE) if verb not in (b"attach", b"open", b"run-cpp")]
        self.options = {}
        for verb in self.verbs:
            text = subprocess.run([self.program, verb, b"--help"], capture_output=True, check=True).stdout
            self.options[verb] = [(long, bool(re.match(rb"\s+(TEXT|INT|UINT|FLOAT|\[)", rest)) or b" TEXT" in rest or b"INT" in rest)
                                  for _, long, rest in OPTION.findall(text) if long != b"--help"]

    def file(self):
        names = [b"report.json", b"report.json", b"report.json", b"list.json", b"empty", b"folder", b"missing.json", b"no\xffutf8.json",
                 b"pipe", b"text.txt", b"/dev/null", b"/dev/full", b"-", b"link.json", b"./report.json", b"", b"folder/missing.json"]
        return self.random.choice(names)

    def value(self, option):
        if option in OUTPUTS:
            return self.random.choice([b"out.tmp", b"out.tmp", b"report.json", b"link.json", b"folder", b"folder/x/y", b"", b"-", b"/dev/null"])
        if option in (b"--programs-from", b"--baseline", b"--budget"):
            return self.file()
        return self.random.choice(self.random.choice([NUMBERS, NUMBERS, SIZES, TEXTS]))

    def arguments(self):
        verb = self.random.choice(self.verbs) if self.random.random() < 0.98 else self.random.choice(TEXTS)
        words = [verb]
        for _ in range(self.random.choice([0, 1, 1, 1, 1, 2, 2, 3]) if verb not in (b"diff", b"recover") else 2):
            words.append(self.file())
        for option, takes_value in self.random.sample(self.options.get(verb, []), min(len(self.options.get(verb, [])), self.random.randrange(4))):
            words.append(option)
            if takes_value or self.random.random() < 0.1:
                words.append(self.value(option))
        if self.random.random() < 0.1:
            words.append(self.random.choice(TEXTS + NUMBERS))
        if self.random.random() < 0.3:
            self.random.shuffle(words)
        return words


def fingerprint(folder):
    result = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            result[os.fsencode(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            result[os.fsencode(path)] = "link" if path.is_symlink() else "other"
    return result


def faults(words, done, before, after, allowed):
    if done is None:
        yield "does not end"
        return
    error = done.stderr
    if done.returncode not in (0, 1, 2, 3, 4):
        yield f"exit status {done.returncode}"
    # `check` has a line for each report that cannot be read.
    most = len(words) if b"check" in words else 1
    if done.returncode in (1, 2) and not 1 <= error.count(b"\n") <= most:
        yield f"{error.count(chr(10).encode())} lines on standard error: {error[:300]!r}"
    if b"Sanitizer" in error or b"runtime error" in error:
        yield f"sanitizer: {error[:300]!r}"
    # A file that is named as the output may be replaced, unless it is an input as well.
    outputs = [words[i + 1] for i in range(len(words) - 1) if words[i] in OUTPUTS]
    inputs = [word for i, word in enumerate(words) if i == 0 or words[i - 1] not in OUTPUTS]
    # Of these the second file is written.
    if {b"export", b"import"} & set(words):
        outputs, allowed = words, {*allowed, *map(os.path.basename, words)}
        inputs = []
    for path, print_ in before.items():
        name = os.path.basename(path)
        told = any(os.path.basename(word) == name for word in outputs) and name not in map(os.path.basename, inputs)
        link = b"link.json" in outputs and name in (b"report.json", b"link.json") and not {b"report.json", b"./report.json", b"link.json"} & set(inputs)
        if after.get(path) != print_ and not told and not link:
            yield f"{path!r} was changed"
    for path in after.keys() - before.keys():
        if os.path.basename(path) not in allowed:
            yield f"{path!r} was left behind"
    if b"--json" in words[1:] and done.returncode in (3, 4) and b"-" not in words:
        try:
            if not isinstance(json.loads(done.stdout), dict):
                yield "the answer is no object"
        except ValueError:
            yield f"the answer is no JSON: {done.stdout[:100]!r}"
    wraps = re.findall(rb"\b1844674407\d{10}\b|\b18,446,744,07\d", done.stdout) if not set(words) & set(NUMBERS) else []
    if wraps:
        yield f"a wrapped number: {wraps[0]!r}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        shutil.copy(options.report, folder / "report.json")
        sidecar = options.report.with_suffix(".python_io.json")
        if sidecar.exists():
            shutil.copy(sidecar, folder / "report.python_io.json")
        (folder / "list.json").write_text(json.dumps(json.loads(options.report.read_text())["graph"]))
        (folder / "empty").touch()
        (folder / "text.txt").write_text("no report\n")
        (folder / "folder").mkdir()
        os.mkfifo(folder / "pipe")
        os.symlink("report.json", folder / "link.json")
        shutil.copy(options.report, os.fsencode(folder) + b"/no\xffutf8.json")
        caller = Caller(options.program.resolve(), folder, random.Random(options.seed))
        before = fingerprint(folder)
        for _ in range(options.count):
            words = caller.arguments()
            # The reader of the pipe gets the report, or nothing if it does not read on.
            feeder = None
            if b"pipe" in words:
                feeder = subprocess.Popen(["sh", "-c", "timeout 20 cat report.json > pipe"], cwd=folder,
                                          stderr=subprocess.DEVNULL)
            try:
                done = subprocess.run([caller.program, *words], capture_output=True, stdin=subprocess.DEVNULL, cwd=folder,
                                      timeout=60)
            except subprocess.TimeoutExpired:
                done = None
            if feeder is not None:
                feeder.kill()
                feeder.wait()
            after = fingerprint(folder)
            for name in ("report.json", "link.json"):
                if after.get(os.fsencode(folder / name)) != before[os.fsencode(folder / name)]:
                    (folder / name).unlink(missing_ok=True)
                    if name == "link.json":
                        os.symlink("report.json", folder / name)
                    else:
                        shutil.copy(options.report, folder / name)
            problems = list(faults(words, done, before, after, {b"out.tmp", b"db.sqlite"}))
            for path in after.keys() - before.keys():
                os.unlink(path)
            if problems:
                failed += 1
                print(f"FAIL {words!r}: {'; '.join(problems)}")
            elif options.verbose:
                print(done.returncode, words)
    print(f"{options.count} calls, {failed} failed")
    return 1 if failed or options.count < 1 else 0


if __name__ == "__main__":
    sys.exit(main())
