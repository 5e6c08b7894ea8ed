# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Sources, and what they name: the includes of C++, and the imports of Python at any depth of the code."""

from __future__ import annotations

import ast
import collections
import pathlib
import re
from typing import Iterator, NamedTuple

from includes.order import ROOMS

TOPS = sorted({room.split("/")[0] for room in ROOMS})
CPP = (".hpp", ".cpp", ".h", ".cc", ".inl")
PYTHON = "tools/python"  # its folders are Python's packages
NATIVE = "tilemeter._tilemeter", "tools/python/bindings/module.cpp"  # a module, and what it is made of
# The include folder of TT-NN's C++ API, and the starts of those paths below it that tables make.
CLIENTS = "tools/compat/include"
GENERATED = ("operations/", "tt-metalium/", "ttnn/")
RECORDED = "tests/data/"

INCLUDE = re.compile(r'\s*#\s*include\s*(?P<mark>[<"])(?P<path>[^>"]+)[>"](?P<rest>.*)')
EXCEPTION = re.compile(r"//\s*include rule:\s*\S")


class Import(NamedTuple):
    """A line that names another file: `path` from the root if it is one of ours, else as it is written."""

    file: str
    line: int
    path: str
    text: str
    is_ours: bool
    is_excepted: bool = False


class Sources(NamedTuple):
    root: pathlib.Path
    cpp: list[str]
    python: list[str]

    def imports(self) -> Iterator[Import]:
        for file in self.cpp:
            yield from includes(self.root, file)
        modules = python_modules(self.python)
        for file in modules.values():
            yield from python_imports(self.root, file, modules)


def read(root: pathlib.Path) -> Sources:
    files = [
        file.relative_to(root).as_posix()
        for top in TOPS
        for file in (root / top).rglob("*")
        if file.suffix in (*CPP, ".py") and file.is_file()
    ]
    files = sorted(file for file in files if not file.startswith(RECORDED))
    python = [file for file in files if file.endswith(".py")]
    return Sources(root, [file for file in files if not file.endswith(".py")], python)


def folder_of(file: str) -> str:
    return file.rpartition("/")[0]


def room_folder(file: str) -> str:
    """The folder that holds a file; what is internal to a folder counts as the folder's."""
    folder = folder_of(file)
    return folder[: -len("/internal")] if folder.endswith("/internal") else folder


def units(sources: Sources) -> dict[str, int]:
    """Names in each folder, a header and its source counted once; a package's __init__.py is the package's face."""
    names = collections.defaultdict(set)
    for file in (*sources.cpp, *sources.python):
        folder, _, name = file.rpartition("/")
        if name != "__init__.py":
            names[folder].add(name.rpartition(".")[0])
    return {folder: len(names[folder]) for folder in sorted(names)}


def client_path(root: pathlib.Path, path: str) -> str:
    """The file behind a path as TT-NN's clients write it: a header, or the table that it is made of."""
    if (root / CLIENTS / path).is_file():
        return f"{CLIENTS}/{path}"
    return f"{CLIENTS.rpartition('/')[0]}/paths.txt" if path.startswith(GENERATED) else path


def includes(root: pathlib.Path, file: str) -> Iterator[Import]:
    """The contents of block comments are no code."""
    blank = lambda comment: re.sub(r"[^\n]", " ", comment.group())  # noqa: E731
    text = (root / file).read_text(encoding="utf-8")
    for number, line in enumerate(re.sub(r"/\*.*?\*/", blank, text, flags=re.S).splitlines(), start=1):
        if found := INCLUDE.match(line):
            path, is_quoted = found["path"], found["mark"] == '"'
            shown = f'"{path}"' if is_quoted else f"<{path}>"
            is_ours = is_quoted or path.split("/")[0] in TOPS
            path = client_path(root, path) if is_quoted else path
            yield Import(file, number, path, shown, is_ours, bool(EXCEPTION.search(found["rest"])))


def python_modules(files: list[str]) -> dict[str, str]:
    """The files of our packages by the modules' names."""
    modules = {}
    for file in files:
        if file.startswith(f"{PYTHON}/tilemeter"):
            name = file[len(PYTHON) + 1 : -len(".py")].replace("/", ".")
            modules[name[: -len(".__init__")] if name.endswith(".__init__") else name] = file
    return modules


def python_imports(root: pathlib.Path, file: str, modules: dict[str, str]) -> Iterator[Import]:
    """Imports of our modules: also inside functions, for types alone, and by importlib with a literal name."""
    files = {**modules, NATIVE[0]: NATIVE[1]}
    package = folder_of(file)[len(PYTHON) + 1 :].split("/")
    for node in ast.walk(ast.parse((root / file).read_text(encoding="utf-8"), file)):
        for name in dict.fromkeys(named_modules(node, package, files)):
            if name in files and files[name] != file:
                yield Import(file, node.lineno, files[name], name, is_ours=True)


def named_modules(node: ast.AST, package: list[str], files: dict[str, str]) -> Iterator[str]:
    """Full names of the modules that one node of the code imports."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
            if "." in alias.name and not alias.asname:  # the name that appears is the package's
                yield alias.name.split(".")[0]
    elif isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        origin = ".".join([*base, *([node.module] if node.module else [])])
        for alias in node.names:
            inner = f"{origin}.{alias.name}"
            yield inner if inner in files else origin
    elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
            yield node.args[0].value
