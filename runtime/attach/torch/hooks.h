// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

/* The exports of the library that is built beside the user's PyTorch (hooks.cpp, program.cpp). Python calls it through ctypes
 * (tilemeter.torch).
 *
 * Functions that return a text return null when all went well, and else one line that says what is wrong; it is valid until
 * the thread's next call.
 *
 * Thread safety: load, start and stop by one thread at a time; the others by any. */

#pragma once

#include <stdint.h>  // include rule: C; NOLINT(modernize-deprecated-headers)

#ifdef __cplusplus
extern "C" {
#endif

struct tilemeter_emit_table;

/* The recorder, and the number it gave. Once. */
const char* tilemeter_torch_load(const struct tilemeter_emit_table* table, uint8_t emitter);

/* From here on functions and memory are told; no longer. Starts are counted. cuda: 1: CUDA's devices are those of the report,
 * and the host's memory is the system memory of device `host`; 0: the host is device `host`, and nothing is told of CUDA's. */
const char* tilemeter_torch_start(uint16_t host, uint8_t cuda);
void tilemeter_torch_stop(void);

/* Devices of CUDA are there from here on: their memory is told, too, and what it holds already. */
const char* tilemeter_torch_watch_cuda(void);

/* A failure that Python saw. */
void tilemeter_torch_fail(const char* type, const char* message);

/* A function that Python opens, and its end. */
void tilemeter_torch_begin_function(const char* name);
void tilemeter_torch_end_function(void);

/* Functions that were parted because an older one of another thread ended within them. */
uint64_t tilemeter_torch_functions_parted(void);

#ifdef __cplusplus
}
#endif
