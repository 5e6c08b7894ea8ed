// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/recordings/known_definitions.hpp"

#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/events/recording_blocks.hpp"
#include "capture/record/emitter.hpp"
#include "capture/record/internal/definition_codec.hpp"
#include "capture/record/modules.hpp"
#include "capture/record/placement.hpp"
#include "capture/record/stack.hpp"
#include "capture/record/text.hpp"

namespace tilemeter::record::internal {

namespace {

std::vector<std::uint64_t> addresses_in(std::span<const char> bytes) {
    std::vector<std::uint64_t> addresses(bytes.size() / sizeof(std::uint64_t));
    if (!addresses.empty())
        std::memcpy(addresses.data(), bytes.data(), addresses.size() * sizeof(std::uint64_t));
    return addresses;
}

template <typename Id>
Id found_in(const std::unordered_map<std::uint32_t, Id>& ids, std::uint32_t id) {
    const auto found = ids.find(id);
    return found == ids.end() ? Id{} : found->second;
}

/// A buffer of an observed system that has another number here.
BufferId moved(BufferId buffer, EmitterId emitter) {
    constexpr std::uint64_t kNumber = (std::uint64_t{1} << 56) - 1;
    const std::uint64_t number = static_cast<std::uint64_t>(buffer) & kNumber;
    return number == 0 ? BufferId::kNone : buffer_id(emitter, number - 1);
}

}  // namespace

void KnownDefinitions::add(DefinitionKind kind, std::uint32_t id, std::span<const char> bytes) {
    switch (kind) {
        case DefinitionKind::kText:
            texts_[id] = intern(std::string_view(bytes.data(), bytes.size()));
            return;
        case DefinitionKind::kTensor:
            if (TensorInfo info; decode(bytes, info)) tensor_infos_[id] = std::move(info);
            return;
        case DefinitionKind::kDevice:
            if (DeviceInfo info; decode(bytes, info))
                announce_device(known_device(static_cast<DeviceId>(id)), std::move(info));
            return;
        case DefinitionKind::kPlacement:
            if (ShardPlacement placement; decode(bytes, placement)) placements_[id] = intern(placement);
            return;
        case DefinitionKind::kStack:
            stacks_[id] = intern_stack(frames_in(bytes));
            return;
        case DefinitionKind::kModule:
            if (Module module; decode(bytes, module)) note_module(std::move(module));
            return;
        case DefinitionKind::kEmitter:
            if (EmitterInfo info; id < kMostEmitters && decode(bytes, info))
                emitters_[id] = register_emitter(std::move(info)).value_or(EmitterId::kRuntime);
            return;
    }
}

std::size_t KnownDefinitions::add_all(std::span<const char> stream) {
    std::span<const char> rest = stream;
    while (rest.size() >= sizeof(DefinitionHeader)) {
        DefinitionHeader header{};
        std::memcpy(&header, rest.data(), sizeof header);
        if (header.size > rest.size() - sizeof header) break;
        add(static_cast<DefinitionKind>(header.kind), header.id, rest.subspan(sizeof header, header.size));
        rest = rest.subspan(sizeof header + header.size);
    }
    return stream.size() - rest.size();
}

void KnownDefinitions::make_known() {
    for (auto& [id, info] : tensor_infos_) {
        for (TextId* each : {&info.dtype, &info.layout, &info.memory_config, &info.argument_text})
            *each = text(static_cast<std::uint32_t>(*each));
        tensors_[id] = intern(info);
    }
}

TextId KnownDefinitions::text(std::uint32_t id) const {
    if (id == 0) return TextId::kNone;
    const auto found = texts_.find(id);
    return found == texts_.end() ? intern(std::string_view("(lost text)")) : found->second;
}

std::uint32_t KnownDefinitions::raw_tensor(std::uint32_t id) const {
    return static_cast<std::uint32_t>(found_in(tensors_, id));
}

std::vector<std::uint64_t> KnownDefinitions::frames_in(std::span<const char> bytes) const {
    std::vector<std::uint64_t> frames = addresses_in(bytes);
    for (std::uint64_t& frame : frames) {
        if (const std::optional<TextId> said = text_of_frame(frame))
            frame = text_frame(text(static_cast<std::uint32_t>(*said)));
    }
    return frames;
}

DeviceId KnownDefinitions::known_device(DeviceId device) const {
    const auto emitter = static_cast<std::size_t>(emitter_of(device));
    return device_id(emitter < emitters_.size() ? emitters_[emitter] : EmitterId::kRuntime,
                     number_of(device));
}

void KnownDefinitions::translate(Event& event) const {
    if (const DeviceId device = known_device(event.device); device != event.device) {
        event.device = device;
        // Buffers of an observed system are told apart from others by its number.
        if (event.kind == EventKind::kBufferAllocate || event.kind == EventKind::kBufferFree ||
            event.kind == EventKind::kBufferAlive || event.kind == EventKind::kBufferFreeRequested)
            event.id = static_cast<std::uint64_t>(moved(static_cast<BufferId>(event.id), emitter_of(device)));
        if (event.kind == EventKind::kInputTensor || event.kind == EventKind::kOutputTensor)
            event.payload.tensor.buffer = moved(event.payload.tensor.buffer, emitter_of(device));
    }
    switch (event.kind) {
        case EventKind::kFunctionBegin:
            event.detail = raw_text(event.detail);
            event.payload.call.stack =
                found_in(stacks_, static_cast<std::uint32_t>(event.payload.call.stack));
            return;
        case EventKind::kFunctionEnd:
        case EventKind::kCircularBuffer:
        case EventKind::kDataflowBuffer:
        case EventKind::kScratchpad:
        case EventKind::kProgramSelected:
        case EventKind::kSubDeviceManager:
        case EventKind::kProgramExecution:
            event.detail = raw_text(event.detail);
            return;
        case EventKind::kArgument: {
            auto& argument = event.payload.argument;
            const bool tensor = argument.type == ArgumentType::kTensor;
            argument.text_or_spec =
                tensor ? raw_tensor(argument.text_or_spec) : raw_text(argument.text_or_spec);
            return;
        }
        case EventKind::kInputTensor:
        case EventKind::kOutputTensor:
            event.detail = raw_tensor(event.detail);
            return;
        case EventKind::kBufferAllocate:
        case EventKind::kBufferFree:
        case EventKind::kBufferAlive:
            event.correlation = static_cast<std::uint32_t>(found_in(placements_, event.correlation));
            return;
        case EventKind::kError:
            event.detail = raw_text(event.detail);
            event.payload.error.type_text = raw_text(event.payload.error.type_text);
            event.payload.error.operation_text = raw_text(event.payload.error.operation_text);
            return;
        case EventKind::kNone:
        case EventKind::kBufferFreeRequested:
        case EventKind::kProgramBegin:
        case EventKind::kContextHandOver:
        case EventKind::kContextEnter:
        case EventKind::kContextLeave:
        case EventKind::kCount:
            return;
    }
    event.kind = EventKind::kNone;  // no kind of this version
}

}  // namespace tilemeter::record::internal
