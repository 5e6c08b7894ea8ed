// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

/* The exports of libtilemeter_attach_ttnn.so: captures of a TT-NN that this process has loaded. Python calls it through
 * ctypes (tilemeter.attach), C++ programs by TILEMETER_ATTACH (preload.cpp).
 *
 * Functions that return a text return null when all went well, and else one line that says what is wrong; it is valid
 * until the thread's next call.
 *
 * Thread safety: any thread, any time, after tilemeter_attach_load(). */

#pragma once

#include <stddef.h>  // include rule: C; NOLINT(modernize-deprecated-headers)
#include <stdint.h>  // include rule: C; NOLINT(modernize-deprecated-headers)

#ifdef __cplusplus
extern "C" {
#endif

enum { TILEMETER_ATTACH_TEXTS = 1, TILEMETER_ATTACH_STACKS = 2, TILEMETER_ATTACH_PAGES = 4 };

/* Finds what is needed in the two libraries, which are loaded already, and makes the processor. Once. */
const char* tilemeter_attach_load(const char* metal_library, const char* ttnn_library, const char* version);

/* From here on the recorder of other code in the process is used, which handed out these two tables (emit_table.h,
 * capture_table.h). Before loading, or while no capture is open. */
struct tilemeter_emit_table;
struct tilemeter_capture_table;
const char* tilemeter_attach_share(const struct tilemeter_emit_table* emit,
                                   const struct tilemeter_capture_table* recorder);

/* 1: what the calling thread does from here on is seen by captures that begin now, and by no other; TT-NN's own neither.
 * 0: as before. */
void tilemeter_attach_self_test(int begins);

/* Begins a capture; *capture names it. recording: a file for its events, or null. no_dispatch: 1: operations are
 * planned only, by TT-NN's own means, in the calling thread; 2: they are, by a capture of TT-NN's own. alone: TT-NN is told that a capture is active. */
const char* tilemeter_attach_begin(int no_dispatch, const char* recording, unsigned flags, int alone,
                                   uint64_t* capture);

/* The process ends: TT-NN's lists, which are the threads' own, may be gone, and are left alone. */
void tilemeter_attach_exit(void);

/* Ends it and writes its report; where that fails it stays open. report: null drops it. */
const char* tilemeter_attach_end(uint64_t capture, const char* report);

/* Devices are described after the next launch, so that a recording has them if the process is killed. */
void tilemeter_attach_describe_in_passing(void);

/* The report, for who ran the program: "report.json: 812 operations, peak 335,872 B of L1 per core in ttnn.layer_norm,
 * 3,979,008 B of DRAM per bank". Valid until the thread's next call; null where the report cannot be read. */
const char* tilemeter_attach_summary(const char* report);

/* Ends it and gives its nodes as JSON, to be freed by tilemeter_attach_free(). */
const char* tilemeter_attach_end_to_text(uint64_t capture, char** nodes);
void tilemeter_attach_free(char* nodes);

/* Devices, cluster descriptor and git sha as TT-NN's own report of anything has them. */
const char* tilemeter_attach_describe(const char* ttnn_report);

/* While a capture of TT-NN's own is the calling thread's innermost one: its report will describe the devices that were
 * met. Returns how many. */
size_t tilemeter_attach_describe_devices(void);

/* The calling thread's operations are captured, too; they are not any more, and nothing of the library runs in them. */
void tilemeter_attach_join(void);
void tilemeter_attach_leave(void);

/* While above 0 in the calling thread, TT-NN is told that no capture is active. */
void tilemeter_attach_hide(int change);

/* A device is closed: it is not asked any more for its buffers. */
void tilemeter_attach_forget_device(int number);

/* PyObject* of a callable around a PyObject*. The caller holds Python's lock. */
void* tilemeter_attach_wrap(void* function, const char* name);

/* Parts that cannot be had of this version, one in each line. Null: nothing is missing. */
const char* tilemeter_attach_missing(void);

/* Callbacks that failed, programs seen, programs whose launch was not seen. */
void tilemeter_attach_counts(uint64_t* failed, uint64_t* programs, uint64_t* unlisted);

#ifdef __cplusplus
}
#endif
