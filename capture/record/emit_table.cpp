// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/emit_table.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/emitter.hpp"
#include "capture/record/private_log.hpp"
#include "capture/record/stack.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"

namespace tilemeter::record {

namespace {

std::string_view view_of(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

EmitterId emitter_id(std::uint8_t emitter) {
    return static_cast<EmitterId>(emitter);
}

Origin origin_of(std::uint8_t planned) {
    return planned != 0 ? Origin::kPlanned : Origin::kObserved;
}

/// Nothing that is thrown here may reach code that was compiled elsewhere. An event that memory had no room for is
/// lost.
template <typename Body>
[[gnu::always_inline]] inline auto guarded(Body body) noexcept -> decltype(body()) {
    try {
        return body();
    } catch (...) {
        return decltype(body())();
    }
}

template <typename Fill>
void append_from(EventKind kind, std::uint8_t emitter, std::uint16_t device, std::uint32_t detail,
                 std::uint64_t id, Fill fill) noexcept {
    if (!recording()) return;
    guarded([=] {
        internal::append_event(kind, detail, id, [=](Event& made) {
            made.device = device_id(emitter_id(emitter), device);
            fill(made);
        });
    });
}

void append_from(EventKind kind, std::uint8_t emitter, std::uint32_t detail = 0,
                 std::uint64_t id = 0) noexcept {
    append_from(kind, emitter, 0, detail, id, [](Event&) {});
}

ProgramMemoryKept kept_of(const std::uint8_t (&kinds)[3]) {
    const auto at = [](std::uint8_t kind) {
        return kind > TILEMETER_COMPLETE ? Completeness::kNone : static_cast<Completeness>(kind);
    };
    return {at(kinds[0]), at(kinds[1]), at(kinds[2])};
}

std::uint8_t register_one(const tilemeter_emitter_info* info) {
    return guarded([&]() -> std::uint8_t {
        EmitterInfo made;
        made.name = view_of(info->name);
        made.version = view_of(info->version);
        made.git_sha = view_of(info->git_sha);
        for (const char* const* each = info->missing; each != nullptr && *each != nullptr; ++each)
            made.missing.emplace_back(*each);
        made.normal = kept_of(info->normal);
        made.no_dispatch = kept_of(info->no_dispatch);
        return static_cast<std::uint8_t>(register_emitter(std::move(made)).value_or(EmitterId::kRuntime));
    });
}

void announce(std::uint8_t emitter, std::uint16_t number, const tilemeter_device* device) {
    guarded([&] {
        DeviceInfo made;
        made.arch = view_of(device->arch);
        made.cluster_descriptor = view_of(device->cluster_descriptor);
        made.chips.assign(device->chips, device->chips + device->num_chips);
        made.num_y_cores = device->num_y_cores;
        made.num_x_cores = device->num_x_cores;
        made.num_y_compute_cores = device->num_y_compute_cores;
        made.num_x_compute_cores = device->num_x_compute_cores;
        made.worker_l1_size = device->worker_l1_size;
        made.l1_num_banks = device->l1_num_banks;
        made.l1_bank_size = device->l1_bank_size;
        made.address_at_first_l1_bank = device->address_at_first_l1_bank;
        made.address_at_first_l1_cb_buffer = device->address_at_first_l1_cb_buffer;
        made.num_banks_per_storage_core = device->num_banks_per_storage_core;
        made.num_compute_cores = device->num_compute_cores;
        made.num_storage_cores = device->num_storage_cores;
        made.total_l1_memory = device->total_l1_memory;
        made.total_l1_for_tensors = device->total_l1_for_tensors;
        made.total_l1_for_interleaved_buffers = device->total_l1_for_interleaved_buffers;
        made.total_l1_for_sharded_buffers = device->total_l1_for_sharded_buffers;
        made.cb_limit = device->cb_limit;
        made.num_dram_channels = device->num_dram_channels;
        made.dram_size_per_channel = device->dram_size_per_channel;
        announce_device(device_id(emitter_id(emitter), number), std::move(made));
    });
}

std::uint32_t intern_one_text(const char* text, std::size_t size) {
    return guarded([&] { return static_cast<std::uint32_t>(intern(std::string_view(text, size))); });
}

std::uint32_t intern_texts_as_stack(const std::uint32_t* texts, std::size_t frames) {
    return guarded([&] {
        std::vector<std::uint64_t> made;
        made.reserve(frames);
        for (const std::uint32_t each : std::span(texts, frames))
            made.push_back(text_frame(static_cast<TextId>(each)));
        return static_cast<std::uint32_t>(intern_stack(made));
    });
}

std::uint32_t intern_type(const tilemeter_tensor_type* type) {
    return guarded([&] {
        TensorInfo made;
        made.shape.assign(type->shape, type->shape + type->rank);
        made.dtype = static_cast<TextId>(type->dtype);
        made.layout = static_cast<TextId>(type->layout);
        made.memory_config = static_cast<TextId>(type->memory_config);
        made.on_device = type->on_device != 0;
        made.memory = static_cast<MemoryType>(type->memory);
        made.buffer_layout = static_cast<BufferLayout>(type->buffer_layout);
        made.size_bytes = type->size_bytes;
        made.buffer_size_bytes = type->buffer_size_bytes;
        return static_cast<std::uint32_t>(intern(made));
    });
}

void begin_function(std::uint8_t emitter, std::uint32_t name, std::uint64_t argument_count,
                    std::uint32_t stack) {
    append_from(EventKind::kFunctionBegin, emitter, 0, name, 0, [=](Event& made) {
        made.payload.call = {argument_count, static_cast<StackId>(stack)};
    });
}

void end_function(std::uint8_t emitter) {
    append_from(EventKind::kFunctionEnd, emitter);
}

void abort_function(std::uint8_t emitter, std::uint32_t reason) {
    append_from(EventKind::kFunctionEnd, emitter, 0, reason, 0, [](Event& made) { made.flags = kAborted; });
}

void add_argument(std::uint8_t emitter, std::uint32_t text) {
    if (!recording_arguments()) return;
    append_from(EventKind::kArgument, emitter, 0, 0, 0, [=](Event& made) {
        made.payload.argument = {ArgumentType::kText, text, 0, 0};
    });
}

void add_tensor(EventKind kind, std::uint8_t emitter, const tilemeter_tensor& tensor) {
    append_from(kind, emitter, tensor.device, tensor.type, tensor.id, [=, &tensor](Event& made) {
        const BufferId buffer =
            tensor.has_buffer != 0 ? buffer_id(emitter_id(emitter), tensor.buffer) : BufferId::kNone;
        made.flags = tensor.has_buffer != 0 && tensor.address == 0 ? kUnknownAddress : 0;
        made.payload.tensor = {buffer, tensor.address, tensor.is_view != 0 ? 1U : 0U};
    });
}

void add_input(std::uint8_t emitter, const tilemeter_tensor* tensor) {
    add_tensor(EventKind::kInputTensor, emitter, *tensor);
}

void add_output(std::uint8_t emitter, const tilemeter_tensor* tensor) {
    add_tensor(EventKind::kOutputTensor, emitter, *tensor);
}

void add_buffer(std::uint8_t emitter, std::uint8_t what, const tilemeter_buffer* buffer) {
    constexpr std::array kKinds = {EventKind::kBufferAllocate, EventKind::kBufferFree,
                                   EventKind::kBufferAlive};
    if (what >= kKinds.size()) return;
    const auto id = static_cast<std::uint64_t>(buffer_id(emitter_id(emitter), buffer->id));
    append_from(kKinds[what], emitter, buffer->device, buffer->num_cores, id, [=](Event& made) {
        made.origin = origin_of(buffer->planned);
        made.memory = static_cast<MemoryType>(buffer->memory);
        made.flags = buffer->address == 0 ? kUnknownAddress : 0;
        made.payload.buffer = {buffer->address, buffer->size_bytes, buffer->size_per_bank_bytes,
                               buffer->page_size_bytes << 8 | buffer->layout};
    });
}

void begin_program(std::uint8_t emitter, std::uint16_t device, std::uint64_t program, std::uint8_t planned) {
    append_from(EventKind::kProgramBegin, emitter, device, 0, program,
                [=](Event& made) { made.origin = origin_of(planned); });
}

void add_program_memory(std::uint8_t emitter, const tilemeter_program_memory* memory) {
    constexpr std::array kKinds = {EventKind::kCircularBuffer, EventKind::kDataflowBuffer,
                                   EventKind::kScratchpad};
    if (memory->kind >= kKinds.size()) return;
    append_from(kKinds[memory->kind], emitter, memory->device, memory->cores, memory->program,
                [=](Event& made) {
                    made.origin = origin_of(memory->planned);
                    made.memory = MemoryType::kL1;
                    made.flags = memory->flags & (kShared | kUnknownAddress);
                    made.payload.program_memory = {memory->address, memory->size_bytes, BufferId::kNone};
                });
}

void select_program(std::uint8_t emitter, std::uint32_t factory_type, std::uint64_t factory_index,
                    std::uint8_t cache_hit) {
    append_from(EventKind::kProgramSelected, emitter, 0, factory_type, 0, [=](Event& made) {
        made.flags = cache_hit != 0 ? kCacheHit : 0;
        made.payload.factory.index = factory_index;
    });
}

void add_manager(std::uint8_t emitter, std::uint16_t device, std::uint64_t manager,
                 std::uint32_t sub_devices) {
    append_from(EventKind::kSubDeviceManager, emitter, device, sub_devices, manager, [](Event&) {});
}

void add_execution(std::uint8_t emitter, const tilemeter_execution* execution) {
    append_from(EventKind::kProgramExecution, emitter, execution->device, execution->worker_cores,
                execution->program, [=](Event& made) {
                    made.queue = execution->queue;
                    made.flags = execution->worker_cores != 0 ? kHasSubDevice : 0;
                    made.payload.execution = {execution->runtime_id, execution->global_call_count,
                                              execution->sub_device_manager, execution->physical_device,
                                              execution->sub_device};
                });
}

void add_error(std::uint8_t emitter, std::uint32_t type, std::uint32_t message, std::uint32_t operation) {
    append_from(EventKind::kError, emitter, 0, message, 0, [=](Event& made) {
        made.payload.error = {type, operation};
    });
}

void add_integer(std::uint8_t emitter, std::uint32_t name, std::int64_t value) {
    if (!recording_arguments()) return;
    append_from(EventKind::kArgument, emitter, 0, 0, 0, [=](Event& made) {
        made.payload.argument = {ArgumentType::kInteger, name, value, 0};
    });
}

tilemeter_log* make_one_log() {
    return guarded([] { return reinterpret_cast<tilemeter_log*>(&make_shared_log()); });
}

tilemeter_log* use_another_log(tilemeter_log* log) {
    return reinterpret_cast<tilemeter_log*>(exchange_log(reinterpret_cast<ThreadLog*>(log)));
}

#if TILEMETER_RECORDING
const std::atomic<std::uint32_t>& listening = internal::listening;
#else
constinit std::atomic<std::uint32_t> listening{0};
#endif
static_assert(sizeof(listening) == sizeof(std::uint32_t));

const tilemeter_emit_table kTable = {
    .version = TILEMETER_EMIT_TABLE_VERSION,
    .size = sizeof(tilemeter_emit_table),
    .listening = reinterpret_cast<const std::uint32_t*>(&listening),
    .register_emitter = register_one,
    .announce_device = announce,
    .intern_text = intern_one_text,
    .intern_stack = intern_texts_as_stack,
    .intern_tensor_type = intern_type,
    .windows_opened = windows_opened,
    .function_begin = begin_function,
    .function_end = end_function,
    .function_aborted = abort_function,
    .argument_text = add_argument,
    .input_tensor = add_input,
    .output_tensor = add_output,
    .buffer = add_buffer,
    .program_begin = begin_program,
    .program_memory = add_program_memory,
    .program_selected = select_program,
    .sub_device_manager = add_manager,
    .program_execution = add_execution,
    .error = add_error,
    .argument_integer = add_integer,
    .make_log = make_one_log,
    .use_log = use_another_log,
};

}  // namespace

}  // namespace tilemeter::record

const struct tilemeter_emit_table* tilemeter_get_emit_table(std::uint32_t version) {
    return version == TILEMETER_EMIT_TABLE_VERSION ? &tilemeter::record::kTable : nullptr;
}
