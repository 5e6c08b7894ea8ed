// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

/* The emitting side of the recorder as plain C: what code in another shared object calls, so that a process has one
 * recorder. Who holds the recorder exports tilemeter_get_emit_table(); who emits needs nothing else of this library.
 *
 * An emitter registers once and passes its number to every function. Its numbers of tensors, buffers and devices are its
 * own. Texts, stacks and tensor types are handed over once and named by what that returned; 0 names none.
 *
 * Ask *listening before anything else: 0 means that nobody records. Functions that emit do nothing then.
 *
 * Thread safety: any thread, any time. No function throws. */

#pragma once

#include <stddef.h>  // include rule: C; NOLINT(modernize-deprecated-headers)
#include <stdint.h>  // include rule: C; NOLINT(modernize-deprecated-headers)

#ifdef __cplusplus
extern "C" {
#endif

#define TILEMETER_EMIT_TABLE_VERSION 1U

/* Bits of *listening above the number of open captures. */
#define TILEMETER_WANTS_ARGUMENTS (1U << 16)
#define TILEMETER_WANTS_STACKS (1U << 17)

/* tilemeter_emitter_info: how much of a kind of program memory is told. */
enum { TILEMETER_NONE = 0, TILEMETER_PARTIAL = 1, TILEMETER_COMPLETE = 2 };

struct tilemeter_emitter_info {
    const char* name; /* not empty */
    const char* version;
    const char* git_sha;
    const char* const* missing; /* what cannot be had, one line each; ends with a null pointer. "lower bound: " before
                                   memory: reports say "at least" of peaks */
    uint8_t normal[3];          /* circular buffers, dataflow buffers, scratchpads in NORMAL */
    uint8_t no_dispatch[3];     /* in NO_DISPATCH */
};

/* Field names as in the report's devices records. */
struct tilemeter_device {
    const char* arch;
    const char* cluster_descriptor;
    const uint16_t* chips;
    size_t num_chips;
    uint64_t num_y_cores, num_x_cores, num_y_compute_cores, num_x_compute_cores;
    uint64_t worker_l1_size, l1_num_banks, l1_bank_size;
    uint64_t address_at_first_l1_bank, address_at_first_l1_cb_buffer;
    uint64_t num_banks_per_storage_core, num_compute_cores, num_storage_cores;
    uint64_t total_l1_memory, total_l1_for_tensors;
    uint64_t total_l1_for_interleaved_buffers, total_l1_for_sharded_buffers;
    uint64_t cb_limit, num_dram_channels, dram_size_per_channel;
};

struct tilemeter_tensor_type {
    const uint64_t* shape;
    size_t rank;
    uint32_t dtype; /* texts */
    uint32_t layout;
    uint32_t memory_config; /* 0 on the host */
    uint8_t on_device;
    uint8_t memory;        /* TT-NN's BufferType */
    uint8_t buffer_layout; /* TT-NN's TensorMemoryLayout */
    uint64_t size_bytes;
    uint64_t buffer_size_bytes;
};

struct tilemeter_tensor {
    uint64_t id;
    uint64_t buffer;  /* where has_buffer */
    uint64_t address; /* 0: not known */
    uint32_t type;
    uint16_t device;
    uint8_t has_buffer;
    uint8_t is_view;
};

/* tilemeter_buffer and tilemeter_program_memory: what happens to them. */
enum { TILEMETER_ALLOCATE = 0, TILEMETER_FREE = 1, TILEMETER_ALIVE = 2 };
enum { TILEMETER_CIRCULAR_BUFFER = 0, TILEMETER_DATAFLOW_BUFFER = 1, TILEMETER_SCRATCHPAD = 2 };
enum { TILEMETER_SHARED = 1, TILEMETER_UNKNOWN_ADDRESS = 4 };

struct tilemeter_buffer {
    uint64_t id;
    uint64_t address; /* 0: not known */
    uint64_t size_bytes;
    uint64_t size_per_bank_bytes;
    uint64_t page_size_bytes;
    uint32_t num_cores; /* 0: interleaved */
    uint16_t device;
    uint8_t memory;
    uint8_t layout;
    uint8_t planned; /* 1: NO_DISPATCH, nothing was allocated */
};

struct tilemeter_program_memory {
    uint64_t program;
    uint64_t address;
    uint64_t size_bytes; /* per core */
    uint32_t cores;      /* text */
    uint16_t device;
    uint8_t kind;
    uint8_t flags;
    uint8_t planned;
};

struct tilemeter_execution {
    uint64_t program;
    uint64_t runtime_id;
    uint64_t global_call_count;
    uint32_t sub_device_manager;
    uint32_t worker_cores; /* text; 0: the placement is not known */
    uint16_t device;
    uint16_t physical_device;
    uint16_t sub_device;
    uint16_t queue;
};

struct tilemeter_log;

struct tilemeter_emit_table {
    uint32_t version;
    uint32_t size; /* of this struct: later tables of one version only grow */
    const uint32_t* listening; /* to be read atomically */

    uint8_t (*register_emitter)(const struct tilemeter_emitter_info* info); /* 0: there are too many */
    void (*announce_device)(uint8_t emitter, uint16_t number, const struct tilemeter_device* device);
    uint32_t (*intern_text)(const char* text, size_t size);
    uint32_t (*intern_stack)(const uint32_t* texts, size_t frames); /* innermost frame first */
    uint32_t (*intern_tensor_type)(const struct tilemeter_tensor_type* type);
    uint64_t (*windows_opened)(void); /* moves with each capture that begins */

    void (*function_begin)(uint8_t emitter, uint32_t name, uint64_t argument_count, uint32_t stack);
    void (*function_end)(uint8_t emitter);
    void (*function_aborted)(uint8_t emitter, uint32_t reason);
    void (*argument_text)(uint8_t emitter, uint32_t text);
    void (*input_tensor)(uint8_t emitter, const struct tilemeter_tensor* tensor);
    void (*output_tensor)(uint8_t emitter, const struct tilemeter_tensor* tensor);
    void (*buffer)(uint8_t emitter, uint8_t what, const struct tilemeter_buffer* buffer);
    void (*program_begin)(uint8_t emitter, uint16_t device, uint64_t program, uint8_t planned);
    void (*program_memory)(uint8_t emitter, const struct tilemeter_program_memory* memory);
    void (*program_selected)(uint8_t emitter, uint32_t factory_type, uint64_t factory_index, uint8_t cache_hit);
    void (*sub_device_manager)(uint8_t emitter, uint16_t device, uint64_t manager, uint32_t sub_devices);
    void (*program_execution)(uint8_t emitter, const struct tilemeter_execution* execution);
    void (*error)(uint8_t emitter, uint32_t type, uint32_t message, uint32_t operation);

    /* An argument "name=value". */
    void (*argument_integer)(uint8_t emitter, uint32_t name, int64_t value);

    /* A log that threads take turns in: what they emit becomes one list in the order of their turns, as if one thread had done
     * it all. It is kept for good. Null: there is no memory for it. */
    struct tilemeter_log* (*make_log)(void);
    /* What the calling thread emits goes to `log` from here on, null: to its own. Returns where it went before, to be handed
     * in again. One thread at a time: the caller holds a lock meanwhile. */
    struct tilemeter_log* (*use_log)(struct tilemeter_log* log);
};

/* The table of the process's recorder; null if it has none of that version. */
const struct tilemeter_emit_table* tilemeter_get_emit_table(uint32_t version);

#ifdef __cplusplus
}
#endif
