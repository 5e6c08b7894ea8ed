# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The GPU that is not there (stand_in.cpp): built for the installed PyTorch, and what a process needs to have it."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import re
import struct
from collections.abc import Iterator

from tilemeter._src.live.library import BuildError, build, cuda_headers

SOURCES = ("runtime/attach/torch/stand_in.cpp", "runtime/attach/torch/refused.cpp")
BYTES, COUNT, CAPABILITY = "TILEMETER_GPU_BYTES", "TILEMETER_GPU_COUNT", "TILEMETER_GPU_CAPABILITY"
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(B|KB|MB|GB|TB|KiB|MiB|GiB|TiB)?(?:\s*x\s*([0-9]+))?")
_UNITS = {"": 1, "B": 1, **{f"{letter}B": 1000**power for power, letter in enumerate("KMGT", 1)},
          **{f"{letter}iB": 1024**power for power, letter in enumerate("KMGT", 1)}}  # fmt: skip
# PyTorch's libraries that call CUDA, and what of it is made to succeed.
_LIBRARIES = ("libc10_cuda.so", "libtorch_cuda.so", "libtorch_python.so", "libtorch_cuda_linalg.so", "libcaffe2_nvrtc.so")
_SUCCEEDS = re.compile(r"(?:(?:__)?cuda|cublas|cu)[A-Z]\w*")


def parsed_gpu(text: str) -> tuple[int, int]:
    """Bytes of a device and their number: "24GiB", "80GiBx8". Raises ValueError in one line."""
    found = _SIZE.fullmatch(text.strip())
    size = float(found[1]) * _UNITS[found[2] or ""] if found else 0
    count = int(found[3] or 1) if found else 0
    if not 1 << 20 <= size <= 1 << 44 or not 1 <= count <= 64:
        raise ValueError(f"gpu {text!r}: expected a size of 1 MiB to 16 TiB, and at most 64 of them: 24GiB, 80GiBx8")
    return int(size), count


def undefined_names(library: pathlib.Path) -> Iterator[str]:
    """Functions that an ELF library refers to and does not have."""
    with library.open("rb") as file:
        head = file.read(64)
        if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01":
            raise BuildError(f"{library}: expected an ELF library of 64 bits")
        sections, size, count = struct.unpack_from("<Q", head, 40)[0], *struct.unpack_from("<HH", head, 58)
        file.seek(sections)
        table = [struct.unpack_from("<IIQQQQIIQQ", file.read(size)) for _ in range(count)]
        for section in table:
            if section[1] != 11:  # SHT_DYNSYM
                continue
            names = table[section[6]]
            file.seek(names[4])
            texts = file.read(names[5])
            file.seek(section[4])
            for name, _info, _other, index, _value, _bytes in struct.iter_unpack("<IBBHQQ", file.read(section[5])):
                if index == 0 and name:
                    yield texts[name : texts.index(b"\0", name)].decode()


def stand_in_library() -> pathlib.Path:
    """PyTorch itself is not imported: what this process has loaded can't be replaced any more."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        raise BuildError("PyTorch is not here")
    root = pathlib.Path(spec.origin).resolve().parent
    if not (root / "lib/libc10_cuda.so").exists():
        raise BuildError(f"{root}: expected PyTorch built for CUDA, found one for the host alone")
    names: set[str] = set()
    for each in _LIBRARIES:
        if (root / "lib" / each).exists():
            names.update(name for name in undefined_names(root / "lib" / each) if _SUCCEEDS.fullmatch(name))
    rest = "".join(f'extern "C" __attribute__((weak)) int {name}() {{ return 0; }}\n' for name in sorted(names))
    headers = cuda_headers(root)
    version = re.search(r"define CUDART_VERSION\s+(\d+)", (headers / "cuda_runtime_api.h").read_text(errors="replace"))
    options = ["-fvisibility=default", f"-isystem{headers}", f"-DCUDART_VERSION_OF_HEADERS={version[1] if version else 12000}", "-Wl,-soname,libcuda.so.1"]
    return build("libcuda.so.1", options, SOURCES, (), f"gpu-cuda-{version[1] if version else 'unknown'}", rest)


def environment(gpu: str, capability: str = "9.0") -> dict[str, str]:
    """The variables of a process that has such devices."""
    size, count = parsed_gpu(gpu)
    if not re.fullmatch(r"[0-9]+\.[0-9]", capability):
        raise ValueError(f"capability {capability!r}: expected one such as 9.0")
    before = os.environ.get("LD_PRELOAD")
    library = str(stand_in_library())
    return {
        "LD_PRELOAD": f"{library}:{before}" if before else library,
        BYTES: str(size), COUNT: str(count), CAPABILITY: capability, "CUDA_VISIBLE_DEVICES": ",".join(map(str, range(count))),
    }  # fmt: skip


def is_modelled() -> bool:
    """True in a process that has such devices."""
    return BYTES in os.environ and "libcuda.so.1" in os.environ.get("LD_PRELOAD", "")
