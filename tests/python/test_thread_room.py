# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The part that the libraries take of the room that the C library keeps in each thread for libraries loaded late."""

from __future__ import annotations

import pathlib
import struct

import pytest

import tilemeter._tilemeter
from tilemeter_attach import _library

# glibc has 1.6 KB for all that a process loads late, and torch beside TT-NN needs a part of it: what exceeds it is refused
# ("cannot allocate memory in static TLS block"). The gaps between variables are the compiler's: GCC 12 leaves 8 bytes less than
# GCC 14.
EXTENSION = pathlib.Path(tilemeter._tilemeter.__file__)
ATTACHED = pathlib.Path(_library.__file__).resolve().parent / _library.NAME


def thread_room(library: pathlib.Path) -> int:
    """Bytes of the thread-local segment of a 64-bit ELF file."""
    thread_local_segment = 7  # PT_TLS
    content = library.read_bytes()
    assert content[:5] == b"\x7fELF\x02", library
    headers = struct.unpack_from("<Q", content, 32)[0]
    size, count = struct.unpack_from("<HH", content, 54)
    total = 0
    for place in range(headers, headers + size * count, size):
        if struct.unpack_from("<I", content, place)[0] == thread_local_segment:
            total += struct.unpack_from("<Q", content, place + 40)[0]
    return total


@pytest.mark.parametrize(("library", "most"), [(EXTENSION, 536), (ATTACHED, 144)], ids=["extension", "attached"])
def test_libraries_leave_others_room_in_threads(library: pathlib.Path, most: int) -> None:
    room = thread_room(library)
    assert 0 < room <= most, f"{library.name} takes {room} bytes of each thread"
