# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The library that observes PyTorch: built for the PyTorch of this process at first use, and kept.

Its sources come with the package. What was built is kept in `$TILEMETER_CACHE_DIR`, else in `tilemeter` in the user's cache
folder, by PyTorch's version and ABI, the compiler's command and the sources' text.
"""

from __future__ import annotations

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence

SOURCES = ("runtime/attach/torch/hooks.cpp", "runtime/attach/torch/program.cpp")
# What is large in PyTorch's headers and not needed, by the names under which they include it.
LIGHT = {"ATen/core/ivalue.h": "runtime/attach/torch/light_ivalue.h", "x86intrin.h": "runtime/attach/torch/light_x86intrin.h"}
HEADERS = ("runtime/attach/torch/hooks.h", "runtime/attach/torch/program.hpp", "capture/record/emit_table.h", *LIGHT.values())


class BuildError(RuntimeError):
    """A library that could not be built; one line says why."""


def sources_folder() -> pathlib.Path:
    """Beside the extension module: an installed package has them there."""
    return pathlib.Path(__file__).resolve().parents[2] / "native"


def cache_folder() -> pathlib.Path:
    named = os.environ.get("TILEMETER_CACHE_DIR")
    if named:
        return pathlib.Path(named)
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tilemeter"


def compiler() -> list[str]:
    """The command of a C++ compiler."""
    for name in (os.environ.get("CXX"), "g++", "clang++", "c++"):
        if name and shutil.which(name.split()[0]):
            return name.split()
    raise BuildError("no C++ compiler is here (g++, clang++, c++, or CXX)")


def build(
    name: str, options: Sequence[str], sources: Iterable[str], headers: Iterable[str], key: str, rest: str = "", light: Mapping[str, str] = {}
) -> pathlib.Path:
    """A shared library of the package's sources, from the cache or made now. Two processes may make it at once. rest: the text of one
    source more. light: headers that come before all others of their names, where the compiler takes them."""
    folder = sources_folder()
    texts = hashlib.sha256()
    names = list(sources)
    try:
        for each in (*names, *headers):
            texts.update((folder / each).read_bytes())
    except OSError as error:
        raise BuildError(f"{error.filename}: {error.strerror}") from None
    command = [*compiler(), "-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-w", f"-I{folder}", *options]
    texts.update("\0".join((*command, rest, *light)).encode())
    place = cache_folder() / key / texts.hexdigest()[:16]
    library = place / name
    if library.exists():
        return library
    try:
        place.mkdir(parents=True, exist_ok=True)
        making = tempfile.TemporaryDirectory(dir=place)
    except OSError as error:
        raise BuildError(f"{place}: {error.strerror}") from None
    print(f"tilemeter: building {name} for {key}, once", file=sys.stderr)
    with making:
        made = pathlib.Path(making.name)
        said = _compiled(command, folder, names, rest, made, light)
        if said and light:
            said = _compiled(command, folder, names, rest, made, {})
        if not said:
            # Linked after the sources: what a library needs comes behind it.
            objects = [str(each) for each in sorted(made.glob("*.o"))]
            libraries = [each for each in options if each.startswith(("-l", "-L", "-Wl"))]
            said = _Run([*compiler(), "-shared", *objects, *libraries, "-o", str(made / name)]).wait()
        if said:
            lines = [line for line in said.splitlines() if "error" in line] or said.splitlines()
            raise BuildError(f"{command[0]} refused {name}: {lines[0] if lines else 'without a word'}")
        try:
            os.chmod(made / name, 0o755)
            os.replace(made / name, library)
        except OSError as error:
            raise BuildError(f"{library}: {error.strerror}") from None
    return library


class _Run:
    """A compiler at work."""

    def __init__(self, command: list[str], text: str = "") -> None:
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        except OSError as error:
            raise BuildError(f"{command[0]}: {error.strerror}") from None
        self._text = text

    def wait(self) -> str:
        """What it says of a failure; empty: there is none."""
        _, said = self._process.communicate(self._text)
        return "" if self._process.returncode == 0 else said or "without a word"


def _compiled(command: list[str], folder: pathlib.Path, names: list[str], rest: str, made: pathlib.Path, light: Mapping[str, str]) -> str:
    """An object of each source, at once; gives what the compiler says of a failure."""
    for name, source in light.items():
        (made / "light" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / source, made / "light" / name)
    first = [f"-I{made / 'light'}"] if light else []
    options = [each for each in command if not each.startswith(("-l", "-L", "-Wl"))]
    runs = [_Run([*options[:1], *first, *options[1:], "-c", str(folder / each), "-o", str(made / f"{number}.o")]) for number, each in enumerate(names)]
    if rest:
        runs.append(_Run([*options, "-xc++", "-c", "-", "-o", str(made / "rest.o")], rest))
    said = [each.wait() for each in runs]
    return next(filter(None, said), "")


def torch_library() -> pathlib.Path:
    """The library for the PyTorch that is imported."""
    import torch

    root = pathlib.Path(torch.__file__).resolve().parent
    libraries = root / "lib"
    includes = [root / "include", root / "include/torch/csrc/api/include"]
    if not (includes[0] / "ATen/record_function.h").exists():
        raise BuildError(f"{includes[0]}: expected PyTorch's headers, found none")
    abi = int(torch._C._GLIBCXX_USE_CXX11_ABI)
    options = [f"-D_GLIBCXX_USE_CXX11_ABI={abi}"]
    needed = ["c10", "torch_cpu"]
    if torch.version.cuda and (libraries / "libc10_cuda.so").exists():
        includes.append(cuda_headers(root))
        options.append("-DTILEMETER_TORCH_CUDA")
        needed.append("c10_cuda")
    options += [f"-isystem{each}" for each in includes]
    options += [f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-Wl,--no-as-needed", *(f"-l{each}" for each in needed)]
    version = torch.__version__.replace("/", "_")
    return build("libtilemeter_torch.so", options, SOURCES, HEADERS, f"torch-{version}-abi{abi}", light=LIGHT)


def cuda_headers(root: pathlib.Path) -> pathlib.Path:
    """Those of the runtime, beside PyTorch or where the environment says."""
    header = "cuda_runtime_api.h"
    packages = [root.parent, *map(pathlib.Path, sys.path)]
    homes = [pathlib.Path(home) for home in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), sys.prefix, "/usr/local/cuda") if home]
    for home in homes[:-2]:  # what the user names comes first
        if (home / "include" / header).exists():
            return home / "include"
    for package in packages:
        for found in sorted((package / "nvidia").glob(f"**/include/{header}")):
            return found.parent
    for home in homes:
        for place in (home / "include", home / "targets/x86_64-linux/include"):
            if (place / header).exists():
                return place
    raise BuildError("no headers of CUDA are here (CUDA_HOME says where)")
