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
from collections.abc import Iterable, Sequence

SOURCES = ("runtime/attach/torch/hooks.cpp", "runtime/attach/torch/program.cpp")
HEADERS = ("runtime/attach/torch/hooks.h", "runtime/attach/torch/program.hpp", "capture/record/emit_table.h")


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


def build(name: str, options: Sequence[str], sources: Iterable[str], headers: Iterable[str], key: str, rest: str = "") -> pathlib.Path:
    """A shared library of the package's sources, from the cache or made now. Two processes may make it at once. rest: the text of one
    source more."""
    folder = sources_folder()
    texts = hashlib.sha256()
    names = list(sources)
    try:
        for each in (*names, *headers):
            texts.update((folder / each).read_bytes())
    except OSError as error:
        raise BuildError(f"{error.filename}: {error.strerror}") from None
    command = [*compiler(), "-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-w", f"-I{folder}", *options]
    texts.update("\0".join((*command, rest)).encode())
    place = cache_folder() / key / texts.hexdigest()[:16]
    library = place / name
    if library.exists():
        return library
    try:
        place.mkdir(parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(suffix=".so", dir=place)
        os.close(handle)
    except OSError as error:
        raise BuildError(f"{place}: {error.strerror}") from None
    print(f"tilemeter: building {name} for {key}, once", file=sys.stderr)
    try:
        # Linked after the sources: what a library needs comes behind it.
        libraries = [each for each in options if each.startswith(("-l", "-L", "-Wl"))]
        ran = subprocess.run(
            [*command, *(str(folder / each) for each in names), *(("-xc++", "-") if rest else ()), *libraries, "-o", made],
            input=rest, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if ran.returncode != 0:
            lines = [line for line in ran.stderr.splitlines() if "error" in line] or ran.stderr.splitlines()
            raise BuildError(f"{command[0]} refused {name}: {lines[0] if lines else 'without a word'}")
        os.chmod(made, 0o755)
        os.replace(made, library)
    except OSError as error:
        raise BuildError(f"{command[0]}: {error.strerror}") from None
    finally:
        if os.path.exists(made):
            os.unlink(made)
    return library


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
    return build("libtilemeter_torch.so", options, SOURCES, HEADERS, f"torch-{version}-abi{abi}")


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
