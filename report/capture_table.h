// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

/* Captures as plain C: what code in another shared object opens and ends, beside the emitting side (emit_table.h), so that
 * a process has one recorder. Who holds the recorder hands out both tables.
 *
 * Functions that return a text return null when all went well, and else one line that says what is wrong; it is valid
 * until the thread's next call.
 *
 * Thread safety: any thread, any time, but a capture by one thread at a time. No function throws. */

#pragma once

#include <stddef.h>  // include rule: C; NOLINT(modernize-deprecated-headers)
#include <stdint.h>  // include rule: C; NOLINT(modernize-deprecated-headers)

#ifdef __cplusplus
extern "C" {
#endif

#define TILEMETER_CAPTURE_TABLE_VERSION 1U

struct tilemeter_capture_options {
    uint8_t no_dispatch;
    uint8_t stacks;
    uint8_t pages;
    uint8_t emitters;      /* bit n: emitter n; 0: all */
    const char* recording; /* a file for the events, or null */
};

struct tilemeter_capture;

struct tilemeter_capture_table {
    uint32_t version;
    uint32_t size; /* of this struct: later tables of one version only grow */

    const char* (*begin)(const struct tilemeter_capture_options* options, struct tilemeter_capture** capture);

    /* Ends it with its report, which stays open where that cannot be written; or with its nodes as JSON, to be freed by
     * free(). */
    const char* (*end_to_file)(struct tilemeter_capture* capture, const char* report);
    const char* (*end_to_text)(struct tilemeter_capture* capture, char** nodes);

    /* Ends it without either. */
    void (*drop)(struct tilemeter_capture* capture);
};

/* The table of the process's recorder; null if it has none of that version. */
const struct tilemeter_capture_table* tilemeter_get_capture_table(uint32_t version);

#ifdef __cplusplus
}
#endif
