// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The functions that emitters call: one function per event kind. Each costs a predictable branch when nobody listens.
// Plain values only; nothing here calls back into the runtime for more.
//
// Thread safety: any thread, any time.

#pragma once

#include <cstdint>

#include "capture/events/clock.hpp"
#include "capture/events/event.hpp"
#include "capture/record/recorder.hpp"
#include "capture/record/records.hpp"

namespace tilemeter::record {

namespace internal {

/// Appends an event; `fill(event)` sets what differs from zero beyond these. It captures numbers by value: one captured by
/// reference has to lie in memory, and compilers write it there before they ask whether anybody listens.
template <typename Fill>
[[gnu::always_inline]] inline void append_event(EventKind kind, std::uint32_t detail, std::uint64_t id,
                                                Fill fill) {
    append(
        kind,
        [kind](Event& made, const Event* before, std::uint32_t detail_of, std::uint64_t id_of,
               Fill fill_rest) {
            made = Event{};
            made.kind = kind;
            made.time_ticks = reads_clock(kind) || before == nullptr ? now_ticks() : before->time_ticks;
            made.detail = detail_of;
            made.id = id_of;
            fill_rest(made);
        },
        detail, id, fill);
}

inline void append_event(EventKind kind, std::uint32_t detail = 0, std::uint64_t id = 0) {
    append_event(kind, detail, id, [](Event&) {});
}

inline std::uint32_t raw(TextId id) {
    return static_cast<std::uint32_t>(id);
}

/// The fields of a buffer in an event, whatever happens to it; `made` has its kind and nothing else.
inline void describe_buffer(const BufferRecord& buffer, Event& made) {
    made.memory = buffer.memory;
    made.device = buffer.device;
    made.detail = buffer.num_cores;
    made.id = static_cast<std::uint64_t>(buffer.buffer);
    made.correlation = static_cast<std::uint32_t>(buffer.placement);
    made.payload.buffer = {buffer.address, buffer.size_bytes, buffer.size_per_bank_bytes,
                           buffer.page_size_bytes << 8 | static_cast<std::uint64_t>(buffer.layout)};
}

inline void append_buffer(EventKind kind, const BufferRecord& buffer, Origin origin) {
    internal::append_event(kind, 0, 0, [&buffer, origin](Event& made) {
        made.origin = origin;
        describe_buffer(buffer, made);
    });
}

void emit_function_begin_with_stack(TextId name, std::uint64_t argument_count);

inline void append_tensor(EventKind kind, const TensorRecord& tensor) {
    internal::append_event(
        kind, static_cast<std::uint32_t>(tensor.spec), static_cast<std::uint64_t>(tensor.tensor),
        [&tensor](Event& made) {
            made.device = tensor.device;
            made.payload.tensor = {tensor.buffer, tensor.address, tensor.is_view ? 1U : 0U};
        });
}

}  // namespace internal

/// Opens a function. Its arguments and input tensors follow.
inline void emit_function_begin(TextId name, std::uint64_t argument_count) {
    if (!recording()) return;
    // The last thing done, so that nothing has to be saved for it where stacks are not wanted.
    if (recording_stacks()) [[unlikely]]
        return internal::emit_function_begin_with_stack(name, argument_count);
    internal::append_event(EventKind::kFunctionBegin, internal::raw(name), 0,
                           [=](Event& made) { made.payload.call.argument_count = argument_count; });
}

/// Closes the innermost open function of this thread.
inline void emit_function_end() {
    if (recording()) internal::append_event(EventKind::kFunctionEnd);
}

/// Closes it as left by an exception; `reason` may be kNone.
inline void emit_function_aborted(TextId reason) {
    if (!recording()) return;
    internal::append_event(EventKind::kFunctionEnd, internal::raw(reason), 0,
                           [](Event& made) { made.flags = kAborted; });
}

inline void emit_argument(ArgumentType type, std::int64_t integer, double real = 0,
                          TextId text = TextId::kNone) {
    if (!recording_arguments()) return;
    internal::append_event(EventKind::kArgument, 0, 0, [=](Event& made) {
        made.payload.argument = {type, internal::raw(text), integer, real};
    });
}

inline void emit_argument(TextId text) {
    emit_argument(ArgumentType::kText, 0, 0, text);
}

/// A tensor as argument: its text is made from its spec when the recording is read.
inline void emit_argument(TensorId tensor, TensorSpecId spec) {
    if (!recording_arguments()) return;
    internal::append_event(EventKind::kArgument, 0, 0, [=](Event& made) {
        made.payload.argument = {ArgumentType::kTensor, static_cast<std::uint32_t>(spec),
                                 static_cast<std::int64_t>(tensor), 0};
    });
}

inline void emit_input_tensor(const TensorRecord& tensor) {
    if (recording()) internal::append_tensor(EventKind::kInputTensor, tensor);
}

/// An output of the function that ends next.
inline void emit_output_tensor(const TensorRecord& tensor) {
    if (recording()) internal::append_tensor(EventKind::kOutputTensor, tensor);
}

inline void emit_buffer_allocate(const BufferRecord& buffer, Origin origin) {
    if (recording()) internal::append_buffer(EventKind::kBufferAllocate, buffer, origin);
}

inline void emit_buffer_free(const BufferRecord& buffer, Origin origin) {
    if (recording()) internal::append_buffer(EventKind::kBufferFree, buffer, origin);
}

/// A buffer from before the capture that is still there. Once per capture, when pages are recorded: what was
/// live at an operation's end is told from these, allocations and frees.
inline void emit_buffer_alive(const BufferRecord& buffer, Origin origin) {
    if (recording()) internal::append_buffer(EventKind::kBufferAlive, buffer, origin);
}

/// A program starts on `device`: the program-scope memory of the one before is free.
inline void emit_program_begin(DeviceId device, std::uint64_t program, Origin origin) {
    if (!recording()) return;
    internal::append_event(EventKind::kProgramBegin, 0, program, [=](Event& made) {
        made.origin = origin;
        made.device = device;
    });
}

/// `kind`: kCircularBuffer, kDataflowBuffer or kScratchpad.
inline void emit_program_memory(EventKind kind, const ProgramMemoryRecord& memory, Origin origin) {
    if (!recording()) return;
    internal::append_event(kind, internal::raw(memory.cores), memory.program, [&memory, origin](Event& made) {
        made.origin = origin;
        made.memory = MemoryType::kL1;
        made.device = memory.device;
        made.flags = memory.shared_buffer != BufferId::kNone ? kShared : 0;
        made.payload.program_memory = {memory.address, memory.size_bytes, memory.shared_buffer};
    });
}

/// The origin of the open function's program.
inline void emit_program_selected(TextId factory_type, std::uint64_t factory_index, bool cache_hit) {
    if (!recording()) return;
    internal::append_event(EventKind::kProgramSelected, internal::raw(factory_type), 0, [=](Event& made) {
        made.flags = cache_hit ? kCacheHit : 0;
        made.payload.factory.index = factory_index;
    });
}

/// `sub_devices`: JSON text, see the report format.
inline void emit_sub_device_manager(DeviceId device, std::uint64_t manager, TextId sub_devices) {
    if (!recording()) return;
    internal::append_event(EventKind::kSubDeviceManager, internal::raw(sub_devices), manager,
                           [=](Event& made) { made.device = device; });
}

inline void emit_program_execution(DeviceId device, std::uint64_t program,
                                   const Event::Payload::Execution& execution, TextId worker_cores,
                                   std::uint16_t queue) {
    if (!recording()) return;
    internal::append_event(EventKind::kProgramExecution, internal::raw(worker_cores), program,
                           [=, &execution](Event& made) {
                               made.device = device;
                               made.queue = queue;
                               made.flags = worker_cores != TextId::kNone ? kHasSubDevice : 0;
                               made.payload.execution = execution;
                           });
}

/// Says that other threads may work for the function that is open in this one; context.hpp is the way to use
/// it.
inline void emit_context(EventKind kind, ContextId context, std::uint32_t worker) {
    if (recording()) internal::append_event(kind, worker, static_cast<std::uint64_t>(context));
}

inline void emit_error(TextId type, TextId message, TextId operation) {
    if (!recording()) return;
    internal::append_event(EventKind::kError, internal::raw(message), 0, [=](Event& made) {
        made.payload.error = {internal::raw(type), internal::raw(operation)};
    });
}

}  // namespace tilemeter::record
