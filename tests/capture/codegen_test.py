#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The machine code of the emitters.

    usage: codegen_test.py OBJDUMP WITH_RECORDING.o WITHOUT_RECORDING.o

Compiled out, an emitter is a return and nothing else. Compiled in but off, it is one load, one test, one branch and
a return. Recording, it calls nothing but append_rarely (a thread's first event, a full chunk, a thread with a
listener), and what captures with stacks and processors without a steady time stamp counter need.
"""

import argparse
import re
import subprocess
import sys
from typing import NamedTuple

EMITTERS = ("codegen_function_begin", "codegen_function_end", "codegen_buffer_allocate", "codegen_input_tensor")
PADDING = ("endbr64", "nop", "nopw", "nopl", "xchg", "data16", "cs")
RARELY_CALLED = re.compile(r"append_rarely|with_stack|monotonic_ns")
OFF_PATH_MOST = 5  # load, test, branch, return, and one more for compilers that load and test apart


class Instruction(NamedTuple):
    address: int
    name: str
    operands: str


def functions_of(objdump: str, path: str) -> dict[str, list[Instruction]]:
    """The instructions of each function, padding left out."""
    listing = subprocess.run(
        [objdump, "--disassemble", "--no-show-raw-insn", "--reloc", path], capture_output=True, text=True, check=True
    ).stdout
    functions: dict[str, list[Instruction]] = {}
    current: list[Instruction] = []
    for line in listing.splitlines():
        if head := re.match(r"[0-9a-f]+ <(\w+)(\.cold)?>:", line):
            current = functions.setdefault(head[1], [])
        elif reloc := re.match(r"\s+[0-9a-f]+: R_\w+\s+(\S+)", line):
            last = current[-1]
            current[-1] = last._replace(operands=f"{last.operands} {reloc[1]}")
        elif found := re.match(r"\s+([0-9a-f]+):\s+(\w+)\s*(.*)", line):
            if found[2] not in PADDING:
                current.append(Instruction(int(found[1], 16), found[2], found[3]))
    return functions


def off_path(code: list[Instruction]) -> list[Instruction]:
    """From the entry to the first return that the first branch can reach without a second branch."""
    branch = next(i for i, instruction in enumerate(code) if instruction.name.startswith("j"))
    target = int(code[branch].operands.split()[0], 16)
    paths = []
    for start in (branch + 1, next((i for i, at in enumerate(code) if at.address == target), len(code))):
        path = code[: branch + 1]
        for instruction in code[start:]:
            path.append(instruction)
            if instruction.name.startswith(("ret", "repz")):
                paths.append(path)
                break
            if instruction.name.startswith(("j", "call")):
                break
    return min(paths, key=len, default=code)


def check_compiled_out(code: list[Instruction]) -> str | None:
    names = [instruction.name for instruction in code]
    return None if names in (["ret"], ["retq"]) else f"expected a return alone, found {' '.join(names)}"


def check_off(code: list[Instruction]) -> str | None:
    path = off_path(code)
    names = [instruction.name for instruction in path]
    if any(name.startswith("call") for name in names) or not names[-1].startswith(("ret", "repz")):
        return f"expected a path without a call when off, found {' '.join(names)}"
    if len(names) > OFF_PATH_MOST:
        return f"expected at most {OFF_PATH_MOST} instructions when off, found {' '.join(names)}"
    return None


def check_on(code: list[Instruction]) -> str | None:
    called = {i.operands for i in code if i.name.startswith("call") or "PLT" in i.operands and i.name == "jmp"}
    strange = [name for name in called if not RARELY_CALLED.search(name)]
    return f"expected no calls but the rare ones, found {strange}" if strange else None


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("objdump", "recording", "compiled_out"):
        parser.add_argument(name)
    options = parser.parse_args()
    failures = 0
    for path, checks in ((options.recording, (check_off, check_on)), (options.compiled_out, (check_compiled_out,))):
        functions = functions_of(options.objdump, path)
        for emitter in EMITTERS:
            for check in checks:
                problem = check(functions[emitter])
                failures += problem is not None
                print(f"{'FAIL' if problem else 'ok  '} {emitter} {check.__name__}{': ' + problem if problem else ''}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
