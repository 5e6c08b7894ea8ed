# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The recorder of this process through its tables of C functions (emit_table.h, capture_table.h)."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from tilemeter import _tilemeter
from tilemeter._tilemeter import CaptureError

U8, U16, U32, U64 = ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64
TEXT, ADDRESS = ctypes.c_char_p, ctypes.c_void_p
ALLOCATE, FREE = 0, 1
DRAM, SYSTEM_MEMORY = 0, 2  # TT-NN's BufferType
COMPLETE = 2


class EmitterInfo(ctypes.Structure):
    _fields_ = (
        ("name", TEXT), ("version", TEXT), ("git_sha", TEXT), ("missing", ctypes.POINTER(TEXT)),
        ("normal", U8 * 3), ("no_dispatch", U8 * 3),
    )  # fmt: skip


class Device(ctypes.Structure):
    _fields_ = (
        ("arch", TEXT), ("cluster_descriptor", TEXT), ("chips", ctypes.POINTER(U16)), ("num_chips", ctypes.c_size_t),
        *((name, U64) for name in (
            "num_y_cores", "num_x_cores", "num_y_compute_cores", "num_x_compute_cores", "worker_l1_size", "l1_num_banks",
            "l1_bank_size", "address_at_first_l1_bank", "address_at_first_l1_cb_buffer", "num_banks_per_storage_core",
            "num_compute_cores", "num_storage_cores", "total_l1_memory", "total_l1_for_tensors",
            "total_l1_for_interleaved_buffers", "total_l1_for_sharded_buffers", "cb_limit", "num_dram_channels",
            "dram_size_per_channel",
        )),
    )  # fmt: skip


class Buffer(ctypes.Structure):
    _fields_ = (
        ("id", U64), ("address", U64), ("size_bytes", U64), ("size_per_bank_bytes", U64), ("page_size_bytes", U64),
        ("num_cores", U32), ("device", U16), ("memory", U8), ("layout", U8), ("planned", U8),
    )  # fmt: skip


class EmitTable(ctypes.Structure):
    _fields_ = (
        ("version", U32), ("size", U32), ("listening", ctypes.POINTER(U32)),
        ("register_emitter", ctypes.CFUNCTYPE(U8, ctypes.POINTER(EmitterInfo))),
        ("announce_device", ctypes.CFUNCTYPE(None, U8, U16, ctypes.POINTER(Device))),
        ("intern_text", ctypes.CFUNCTYPE(U32, TEXT, ctypes.c_size_t)),
        ("intern_stack", ADDRESS), ("intern_tensor_type", ADDRESS), ("windows_opened", ADDRESS),
        ("function_begin", ctypes.CFUNCTYPE(None, U8, U32, U64, U32)),
        ("function_end", ctypes.CFUNCTYPE(None, U8)),
        ("function_aborted", ctypes.CFUNCTYPE(None, U8, U32)),
        ("argument_text", ADDRESS), ("input_tensor", ADDRESS), ("output_tensor", ADDRESS),
        ("buffer", ctypes.CFUNCTYPE(None, U8, U8, ctypes.POINTER(Buffer))),
        ("program_begin", ADDRESS), ("program_memory", ADDRESS), ("program_selected", ADDRESS),
        ("sub_device_manager", ADDRESS), ("program_execution", ADDRESS),
        ("error", ctypes.CFUNCTYPE(None, U8, U32, U32, U32)),
        ("argument_integer", ctypes.CFUNCTYPE(None, U8, U32, ctypes.c_int64)),
        ("make_log", ctypes.CFUNCTYPE(ADDRESS)),
        ("use_log", ctypes.CFUNCTYPE(ADDRESS, ADDRESS)),
    )  # fmt: skip


class CaptureOptions(ctypes.Structure):
    _fields_ = (("no_dispatch", U8), ("stacks", U8), ("pages", U8), ("emitters", U8), ("recording", TEXT))


class CaptureTable(ctypes.Structure):
    _fields_ = (
        ("version", U32), ("size", U32),
        ("begin", ctypes.CFUNCTYPE(TEXT, ctypes.POINTER(CaptureOptions), ctypes.POINTER(ADDRESS))),
        ("end_to_file", ctypes.CFUNCTYPE(TEXT, ADDRESS, TEXT)),
        ("end_to_text", ADDRESS),
        ("drop", ctypes.CFUNCTYPE(None, ADDRESS)),
    )  # fmt: skip


class Recorder:
    """The process's recorder, told by one observed system."""

    def __init__(self, name: str, version: str, missing: list[str]) -> None:
        native: Any = _tilemeter
        self.emit_address, capture = native._recorder_tables()
        self.emit: Any = ctypes.cast(self.emit_address, ctypes.POINTER(EmitTable)).contents
        self._captures: Any = ctypes.cast(capture, ctypes.POINTER(CaptureTable)).contents
        lines = (TEXT * (len(missing) + 1))(*(each.encode() for each in missing), None)
        # There is no program memory of a kind that tile devices have: all of it is told.
        kept = (U8 * 3)(COMPLETE, COMPLETE, COMPLETE)
        info = EmitterInfo(name.encode(), version.encode(), b"", lines, kept, kept)
        self.emitter: int = self.emit.register_emitter(ctypes.byref(info))
        if self.emitter == 0:
            raise CaptureError("too many systems are observed in this process")

    def announce(self, number: int, arch: str, capacity: int) -> None:
        """A device with one bank of memory. Capacity in bytes; 0: not known."""
        device = Device(arch=arch.encode(), chips=(U16 * 1)(number), num_chips=1)
        device.num_dram_channels = 1
        device.dram_size_per_channel = capacity
        self.emit.announce_device(self.emitter, number, ctypes.byref(device))

    def text(self, said: str) -> int:
        data = said.encode(errors="replace")
        return int(self.emit.intern_text(data, len(data)))

    def begin(self, stream: str | None) -> ctypes.c_void_p:
        recording = None if stream is None else os.fsencode(stream)
        options = CaptureOptions(emitters=1 << self.emitter, recording=recording)
        capture = ctypes.c_void_p()
        self._check(self._captures.begin(ctypes.byref(options), ctypes.byref(capture)))
        return capture

    def end(self, capture: ctypes.c_void_p, report: str) -> None:
        """Ends it with its report; where that can't be written it stays open."""
        self._check(self._captures.end_to_file(capture, os.fsencode(report)))

    def drop(self, capture: ctypes.c_void_p) -> None:
        self._captures.drop(capture)

    @staticmethod
    def _check(said: bytes | None) -> None:
        if said is not None:
            raise CaptureError(said.decode(errors="replace"))
