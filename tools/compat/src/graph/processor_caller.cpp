// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/graph/processor_caller.hpp"

#include <functional>
#include <utility>

#include "capture/log/log.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/program_cache.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/graph/programs.hpp"
#include "tools/compat/src/graph/thread_tracker.hpp"
#include "tools/compat/src/graph/told_buffers.hpp"
#include "tools/compat/src/model.hpp"

namespace tilemeter::compat {

using record::Event;
using record::EventKind;
using record::ShownValue;
using tt::tt_metal::IGraphProcessor;

namespace {

record::BufferRecord record_of(const Event& event) {
    const auto& buffer = event.payload.buffer;
    constexpr unsigned kLayoutBits = 8;
    return {.buffer = static_cast<record::BufferId>(event.id),
            .device = event.device,
            .memory = event.memory,
            .layout = static_cast<record::BufferLayout>(buffer.page_size_and_layout & 0xffU),
            .num_cores = event.detail,
            .address = buffer.address,
            .size_bytes = buffer.size_bytes,
            .size_per_bank_bytes = buffer.size_per_bank_bytes,
            .page_size_bytes = buffer.page_size_and_layout >> kLayoutBits,
            .placement = static_cast<record::PlacementId>(event.correlation)};
}

tt::tt_metal::distributed::MeshDevice* device_of(const Event& event) {
    return tt::tt_metal::distributed::MeshDevice::with_id(record::number_of(event.device));
}

// The function in which the model frees memory, in destructors, too.
constexpr std::string_view kFreeing = "Tensor::deallocate";

bool is_about_arguments(EventKind kind) {
    return kind == EventKind::kArgument || kind == EventKind::kInputTensor;
}

// An argument that refers to one of a function's values: what TT-NN's functions take by value, or by reference.
template <typename T>
tt::tt_metal::TrackedArgument argument_of(T& value) {
    constexpr bool kIsByValue = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                                std::is_same_v<T, std::vector<std::int64_t>> ||
                                std::is_same_v<T, std::vector<std::reference_wrapper<const ::ttnn::Tensor>>>;
    using Told = std::conditional_t<kIsByValue, T, const T>;
    return {std::any(std::reference_wrapper<Told>(value)), &tt::tt_metal::serialize_tracked_arg<Told>};
}

}  // namespace

void ProcessorCaller::on_event(const Event& event, const ShownValue& shown) {
    if (begun_ && !is_about_arguments(event.kind)) {
        if (is_freeing_ && event.kind == EventKind::kBufferFree)
            hold([&] { on_function_begun(); });
        else
            on_function_begun();
    }
    switch (event.kind) {
        case EventKind::kFunctionBegin:
            begun_.emplace().name = record::text_of(static_cast<record::TextId>(event.detail));
            is_freeing_ = begun_->name == kFreeing;
            break;
        case EventKind::kArgument:
            add_argument(event, shown);
            break;
        case EventKind::kOutputTensor:
            if (const auto* tensor = shown.as<Tensor>()) outputs_.push_back(from_model(*tensor));
            break;
        case EventKind::kFunctionEnd:
            if (std::exchange(is_freeing_, false))
                hold([&] { end_function(event); });
            else
                end_function(event);
            break;
        case EventKind::kBufferAllocate: {
            const auto buffer = told_buffer(record_of(event));
            tracker_.call_each([&](IGraphProcessor& each) { each.track_allocate(buffer.get()); });
            break;
        }
        case EventKind::kBufferFree:
            hold([&] { tell_free(event); });
            break;
        case EventKind::kProgramBegin:
            begin_program(event, shown);
            break;
        case EventKind::kCircularBuffer:
        case EventKind::kDataflowBuffer:
        case EventKind::kScratchpad:
            tell_program_memory(event);
            break;
        default:
            break;
    }
}

void ProcessorCaller::hold(const std::function<void()>& tell) {
    try {
        tell();
    } catch (const std::exception& error) {
        if (!ClientCall::keep_thrown())
            logging::error({"a processor threw when memory was freed: ", error.what()});
    } catch (...) {
        if (!ClientCall::keep_thrown()) logging::error({"a processor threw when memory was freed"});
    }
}

void ProcessorCaller::add_value(Value value) {
    Function& function = *begun_;
    const std::size_t place = function.values.size();
    function.values.push_back(std::move(value));
    function.arguments.push_back(place);
}

void ProcessorCaller::add_argument(const Event& event, const ShownValue& shown) {
    if (!begun_) return;
    Function& function = *begun_;
    const auto& argument = event.payload.argument;
    using record::ArgumentType;
    if (argument.type == ArgumentType::kListEnd) {
        if (!function.lists.empty()) function.lists.pop_back();
        return;
    }
    if (!function.lists.empty()) {
        // A list becomes one of what comes first in it; what does not fit is left out.
        Value& list = function.values[function.lists.front()];
        if (const auto* tensor = shown.as<Tensor>()) {
            if (!std::holds_alternative<std::vector<std::reference_wrapper<const ::ttnn::Tensor>>>(list))
                list = std::vector<std::reference_wrapper<const ::ttnn::Tensor>>();
            std::get<std::vector<std::reference_wrapper<const ::ttnn::Tensor>>>(list).push_back(
                function.listed.emplace_back(from_model(*tensor)));
        } else if (argument.type == ArgumentType::kInteger) {
            if (auto* integers = std::get_if<std::vector<std::int64_t>>(&list))
                integers->push_back(argument.integer);
        } else if (argument.type == ArgumentType::kListBegin) {
            function.lists.push_back(function.lists.front());
        }
        return;
    }
    if (const auto* tensor = shown.as<Tensor>()) return add_value(from_model(*tensor));
    if (const auto* config = shown.as<MemoryConfig>()) return add_value(from_model(*config));
    if (const auto* shape = shown.as<Shape>()) return add_value(from_model(*shape));
    if (const auto* dtype = shown.as<DataType>()) return add_value(from_model(*dtype));
    if (const auto* layout = shown.as<Layout>()) return add_value(from_model(*layout));
    switch (argument.type) {
        case ArgumentType::kBoolean:
            return add_value(argument.integer != 0);
        case ArgumentType::kInteger:
            return add_value(argument.integer);
        case ArgumentType::kReal:
            return add_value(static_cast<float>(argument.real));
        case ArgumentType::kText:
            return add_value(
                std::string(record::text_of(static_cast<record::TextId>(argument.text_or_spec))));
        case ArgumentType::kListBegin:
            add_value(std::vector<std::int64_t>());
            function.lists.push_back(function.values.size() - 1);
            return;
        default:
            return;
    }
}

void ProcessorCaller::on_function_begun() {
    if (!begun_) return;
    Function function = std::move(*begun_);
    begun_.reset();
    std::vector<tt::tt_metal::TrackedArgument> arguments;
    for (const std::size_t place : function.arguments)
        arguments.push_back(
            std::visit([](auto& value) { return argument_of(value); }, function.values[place]));
    tracker_.call_each([&](IGraphProcessor& each) { each.track_function_start(function.name, arguments); });
}

void ProcessorCaller::end_function(const Event& event) {
    std::vector<::ttnn::Tensor> outputs = std::exchange(outputs_, {});
    std::any output;
    if ((event.flags & record::kAborted) != 0)
        output = tt::tt_metal::internal::GraphFunctionAbort{
            std::string(record::text_of(static_cast<record::TextId>(event.detail))), false};
    else if (outputs.size() == 1)
        output = std::ref(outputs.front());
    else if (!outputs.empty())
        output = std::ref(outputs);
    tracker_.call_each([&](IGraphProcessor& each) {
        if (output.has_value())
            each.track_function_end(output);
        else
            each.track_function_end();
    });
}

void ProcessorCaller::begin_program(const Event& event, const ShownValue& shown) {
    const auto* const cached = shown.as<CachedProgram>();
    tt::tt_metal::Program program =
        cached != nullptr ? program_of(*cached) : tt::tt_metal::Program(event.id, {});
    tracker_.call_each([&](IGraphProcessor& each) { each.track_program(&program, device_of(event)); });
    // Where a program is planned, or a hook takes it, it takes no memory.
    program_runs_ = event.origin == record::Origin::kObserved &&
                    (cached == nullptr || !tracker_.hook_caller.asks_program_ahead(*cached));
}

void ProcessorCaller::tell_program_memory(const Event& event) {
    // As TT-NN has it, where programs run their circular buffers are told, and where they are planned all else, without an
    // address: the program has their circular buffers.
    if (program_runs_ != (event.kind == EventKind::kCircularBuffer)) return;
    const auto& memory = event.payload.program_memory;
    const std::uint64_t address = program_runs_ ? memory.address : 0;
    const tt::tt_metal::CoreRangeSet cores =
        cores_of_text(record::text_of(static_cast<record::TextId>(event.detail)));
    const bool is_shared = (event.flags & record::kShared) != 0;
    const tt::tt_metal::IDevice* const device = device_of(event);
    tracker_.call_each([&](IGraphProcessor& each) {
        if (event.kind == EventKind::kCircularBuffer)
            each.track_allocate_cb(cores, address, memory.size_bytes, is_shared, device);
        else if (event.kind == EventKind::kDataflowBuffer)
            each.track_allocate_dataflow_buffer(cores, address, memory.size_bytes, is_shared, device);
        else
            each.track_allocate_scratchpad(cores, address, memory.size_bytes, device);
    });
}

void ProcessorCaller::tell_free(const Event& event) {
    const record::BufferRecord record = record_of(event);
    const auto buffer = told_buffer(record);
    if (tracker_.hook == nullptr || tracker_.hook_is_of_capture) forget_buffer(record.buffer);
    tracker_.call_each([&](IGraphProcessor& each) { each.track_deallocate(buffer.get()); });
}

}  // namespace tilemeter::compat
