# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The names that installed headers offer, against the recorded list: tests/data/public_names.txt.

    usage: python3 tests/tools/public_names.py [--update]

A name of the list that no installed header has any more fails; so does one that is new, until the list has it. Where the
header of a name lies is not recorded. Names: classes, enumerations, aliases, concepts, functions and constants of
namespaces, with their namespaces; what lies in a namespace `internal` or without a name is left out.
"""

import argparse
import pathlib
import re
import sys
from typing import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = ROOT / "tests" / "data" / "public_names.txt"
WORDS = {"BASE", "SOURCES", "HEADERS", "LINK", "BASE_LINK", "PRIVATE_LINK"}
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M | re.S)
ATTRIBUTE = re.compile(r"\[\[.*?\]\]|\balignas\s*\([^()]*\)|\b__attribute__\s*\(\(.*?\)\)", re.S)
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+([A-Za-z_]\w*)")
ALIAS = re.compile(r"\b(?:using|concept)\s+([A-Za-z_]\w*)\s*=")
FUNCTION = re.compile(r"(?<![\w:])((?:operator\s*[^\s\w(]+)|[A-Za-z_]\w*)\s*\(")
CONSTANT = re.compile(r"\b(?:constexpr|const|extern)\b.*?([A-Za-z_]\w*)\s*(?:\[[^\]]*\])?\s*(?:=|$|\{)", re.S)
NOT_NAMES = {"if", "while", "for", "switch", "return", "sizeof", "decltype", "noexcept", "requires", "static_assert", "alignas"}


def installed_headers() -> Iterator[pathlib.Path]:
    # Not in folders of builds and hidden ones, where others' files come and go.
    for lists in sorted([ROOT / "CMakeLists.txt", *ROOT.glob("[!.b]*/**/CMakeLists.txt")]):
        kind = ""
        for line in lists.read_text(encoding="utf-8").splitlines():
            for word in line.partition("#")[0].replace("(", " ( ").replace(")", " ) ").split():
                if word in ("(", ")"):
                    kind = ""
                elif word in WORDS or re.fullmatch(r"\w+_headers", word):  # a list of one room's, for HEADERS
                    kind = "HEADERS" if word.endswith("_headers") else word
                elif kind == "HEADERS" and word.endswith((".hpp", ".h")) and not word.startswith("$"):
                    yield lists.parent / word


def declared(statement: str) -> str | None:
    """The name that a statement of a namespace, up to its `;` or `{`, declares."""
    text = ATTRIBUTE.sub(" ", statement).strip()
    while text.startswith("template"):  # and its parameters, which may nest
        depth, at = 0, text.index("<")
        for at in range(at, len(text)):
            depth += {"<": 1, ">": -1}.get(text[at], 0)
            if depth == 0:
                break
        text = text[at + 1 :].strip()
    if not text or text.startswith(("friend", "using namespace", "static_assert", "namespace", "extern \"C\"")):
        return None
    if found := ALIAS.match(text):
        return found[1]
    if found := TYPE.match(text):
        return found[1]
    for found in FUNCTION.finditer(text):
        if found[1] not in NOT_NAMES:
            return re.sub(r"\s", "", found[1])
    if found := CONSTANT.search(text):
        return found[1]
    return None


def names_in(text: str) -> Iterator[str]:
    text = NOISE.sub(" ", text)
    scopes: list[str | None] = []  # the namespace of each open brace, None for braces of anything else
    start = 0
    for mark in re.finditer(r"[;{}]", text):
        statement = text[start : mark.start()].strip()
        in_namespaces = None not in scopes
        if mark[0] == "{":
            found = re.fullmatch(r"(?:inline\s+)?namespace\s*([\w:]*)", statement)
            if in_namespaces and not found and (name := declared(statement)):
                yield "::".join([*filter(None, scopes), name])
            scopes.append((found[1] or "internal") if found else None)
        elif mark[0] == ";":
            if in_namespaces and (name := declared(statement)):
                yield "::".join([*filter(None, scopes), name])
        elif scopes:
            scopes.pop()
        start = mark.end()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the list")
    arguments = parser.parse_args()
    headers = sorted(set(installed_headers()))
    names = {name for header in headers for name in names_in(header.read_text(encoding="utf-8"))}
    found = sorted(name for name in names if "internal" not in name.split("::"))
    if arguments.update:
        RECORDED.write_text(f"{len(headers)} headers\n" + "".join(f"{name}\n" for name in found), encoding="utf-8")
        return 0
    first, *recorded = RECORDED.read_text(encoding="utf-8").splitlines()
    lines = [f"{name}: found in no installed header, expected in one" for name in sorted(set(recorded) - set(found))]
    lines += [f"{name}: found in a header, expected in {RECORDED.name} (--update)" for name in sorted(set(found) - set(recorded))]
    if len(headers) > int(first.split()[0]):
        lines.append(f"{len(headers)} installed headers, expected at most {first}")
    print("\n".join(lines) if lines else f"{len(found)} names in {len(headers)} headers")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
