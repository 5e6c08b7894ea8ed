// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/record/internal/call_graph.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/call_recorder.hpp"
#include "runtime/device/device.hpp"
#include "runtime/trace/device/record/traced_program.hpp"

namespace tilemeter::trace::internal {

namespace {

using record::Event;
using record::EventKind;

constexpr std::string_view kNothing = "std::nullopt";

ir::ElementType element_of(std::string_view dtype) {
    struct Entry {
        std::string_view name;
        ir::ElementType element;
    };
    constexpr std::array<Entry, 8> kElements = {{{"BFLOAT16", ir::ElementType::kBF16},
                                                 {"FLOAT32", ir::ElementType::kF32},
                                                 {"BFLOAT8_B", ir::ElementType::kBfloat8B},
                                                 {"BFLOAT4_B", ir::ElementType::kBfloat4B},
                                                 {"UINT32", ir::ElementType::kU32},
                                                 {"UINT16", ir::ElementType::kU16},
                                                 {"UINT8", ir::ElementType::kU8},
                                                 {"INT32", ir::ElementType::kI32}}};
    const std::string_view name = dtype.substr(dtype.rfind(':') + 1);
    const auto found = std::ranges::find(kElements, name, &Entry::name);
    if (found == kElements.end())
        throw TracingError(TracingErrorKind::kBadArgument,
                           "trace: expected a known data type, found " + std::string(dtype));
    return found->element;
}

// Interleaved places by their memory alone.
std::string place_text(const record::TensorInfo& info) {
    if (info.buffer_layout == record::BufferLayout::kInterleaved) {
        if (info.memory == record::MemoryType::kDram) return "DRAM";
        if (info.memory == record::MemoryType::kL1) return "L1";
    }
    return std::string(record::text_of(info.memory_config));
}

ir::Constant constant_of(const ir::TensorType& type, const std::shared_ptr<const ChipValues>& values) {
    const HostArray& array = values->front();
    if (type.element == ir::ElementType::kBfloat8B || type.element == ir::ElementType::kBfloat4B) {
        const std::vector<float> floats = array.to_floats();
        ir::Constant rounded =
            ir::Constant::of(ir::ElementType::kF32, type.shape, std::span<const float>(floats));
        return {type, rounded.storage()};
    }
    return {type, ir::Constant::Storage(values, array.bytes().data())};
}

std::string name_of(const Device& device) {
    return device.description().name + ":" + std::to_string(static_cast<unsigned>(device.id()));
}

}  // namespace

GraphOfCalls make_graph(const RecordedCalls& recorded) {
    CallGraph graph(recorded);
    for (std::size_t i = 0; i < recorded.inputs.size(); ++i)
        graph.add_input(
            i < recorded.input_names.size() ? recorded.input_names[i] : "input_" + std::to_string(i),
            recorded.inputs[i]);
    auto write = recorded.writes.cbegin();
    for_each_in_order(
        recorded,
        [&](const Note& note, std::size_t number) {
            if (note.what == Noted::kPlace) graph.set_place(recorded.places[note.index]);
            if (note.what == Noted::kPass) graph.set_pass(static_cast<CallPass>(note.index));
            if (note.what == Noted::kCall) graph.add_call(recorded.calls[note.index]);
            for (; write != recorded.writes.cend() && write->note == number; ++write)
                graph.add_write(write->buffer, write->spec);
        },
        [&](const Event& event) { graph.add_event(event); });
    return graph.finish(recorded.results);
}

CallGraph::CallGraph(const RecordedCalls& recorded)
    : graph_(recorded.name, "ttnn"), device_(name_of(*recorded.recipe->device)), recorded_(recorded) {}

const ir::TensorType& CallGraph::type_of(record::TensorSpecId spec) {
    const auto [found, is_new] = types_.try_emplace(spec);
    if (is_new) {
        const record::TensorInfo info = record::tensor_info_of(spec);
        ir::TensorType& type = found->second;
        type.element = element_of(record::text_of(info.dtype));
        for (const std::uint64_t each : info.shape)
            type.shape.push_back(static_cast<std::int64_t>(each));
        const std::string_view layout = record::text_of(info.layout);
        if (info.on_device)
            type.place =
                ir::Place{device_, std::string(layout.substr(layout.rfind(':') + 1)), place_text(info)};
    }
    return found->second;
}

void CallGraph::add_input(const std::string& name, const NamedTensor& tensor) {
    const ir::ValueId value = graph_.add_input(name, type_of(tensor.spec));
    buffers_.try_emplace(tensor.buffer, BufferState{value, tensor.spec, 0});
    tensors_.try_emplace(tensor.tensor, TensorState{value, 0});
}

ir::ValueId CallGraph::host_value(record::TensorId tensor, record::TensorSpecId spec) {
    if (const auto known = tensors_.find(tensor); known != tensors_.end()) return known->second.value;
    const auto values = recorded_.constants.find(tensor);
    ir::ValueId value{};
    if (values != recorded_.constants.end() && values->second->size() == 1) {
        value = graph_.add_const(constant_of(type_of(spec), values->second));
    } else {
        value = graph_.add_input("host_" + std::to_string(outside_++), type_of(spec));
    }
    tensors_.emplace(tensor, TensorState{value, 0});
    return value;
}

ir::ValueId CallGraph::value_of(record::TensorId tensor, record::BufferId buffer, record::TensorSpecId spec) {
    if (buffer == record::BufferId::kNone) return host_value(tensor, spec);
    const auto [state, is_new] = buffers_.try_emplace(buffer);
    if (is_new) {
        const ir::ValueId value = graph_.add_input("outside_" + std::to_string(outside_++), type_of(spec));
        state->second = {value, spec, 0};
    }
    const auto known = tensors_.find(tensor);
    if (known != tensors_.end() && known->second.version == state->second.version) return known->second.value;
    ir::ValueId value = state->second.value;
    if (state->second.spec != spec) {
        const std::array operands{value};
        ir::Attributes attributes;
        add_pass(attributes);
        value = graph_.append("ttnn.view", operands, std::span(&type_of(spec), 1), attributes);
        calls_.push_back(TracedProgram::kNoCall);
    }
    tensors_.insert_or_assign(tensor, TensorState{value, state->second.version});
    return value;
}

void CallGraph::begin_call(const Event& event) {
    ++call_count_;
    name_ = static_cast<record::TextId>(event.detail);
    operands_.clear();
    operand_tensors_.clear();
    lists_.clear();
    arguments_.clear();
    is_attribute_.clear();
    outputs_.clear();
    written_.clear();
    made_.clear();
    if (given_ == nullptr) return;
    for (const TensorArgument& each :
         std::span(recorded_.call_tensors).subspan(given_->first_tensor, given_->tensor_count))
        add_operand(each);
}

void CallGraph::add_call(const NotedCall& call) {
    if (depth_ == 0) given_ = &call;
}

void CallGraph::add_operand(const TensorArgument& given) {
    operands_.push_back(value_of(given.tensor, given.buffer, given.spec));
    operand_tensors_.push_back(given.tensor);
}

void CallGraph::add_argument(const Event& event) {
    const auto& argument = event.payload.argument;
    ir::Attribute value = false;
    bool is_attribute = true;
    switch (argument.type) {
        case record::ArgumentType::kInteger:
            value = argument.integer;
            break;
        case record::ArgumentType::kBoolean:
            value = argument.integer != 0;
            break;
        case record::ArgumentType::kReal:
            value = argument.real;
            break;
        case record::ArgumentType::kText: {
            const std::string_view text = record::text_of(static_cast<record::TextId>(argument.text_or_spec));
            is_attribute = text != kNothing;
            if (is_attribute) value = std::string(text);
            break;
        }
        case record::ArgumentType::kTensor:
            is_attribute = false;
            break;
        case record::ArgumentType::kListBegin:
            lists_.emplace_back();
            return;
        case record::ArgumentType::kListEnd: {
            if (lists_.empty()) return;
            const std::vector<ir::Attribute> values = std::move(lists_.back());
            lists_.pop_back();
            is_attribute = !values.empty();
            if (is_attribute) value = list_of(values);
            break;
        }
    }
    if (!lists_.empty()) {
        if (is_attribute) lists_.back().push_back(std::move(value));
        return;
    }
    arguments_.push_back(std::move(value));
    is_attribute_.push_back(is_attribute);
}

bool CallGraph::is_unchanged(const Output& output) const {
    if (std::ranges::find(operand_tensors_, output.tensor) == operand_tensors_.end()) return false;
    return std::ranges::none_of(written_, [&](const auto& each) { return each.first == output.buffer; });
}

void CallGraph::add_pass(ir::Attributes& attributes) const {
    if (pass_ == CallPass::kForward) attributes.set(kPassAttribute, "forward");
    if (pass_ == CallPass::kBackward) attributes.set(kPassAttribute, "backward");
}

void CallGraph::end_call() {
    std::erase_if(outputs_, [this](const Output& each) { return is_unchanged(each); });
    // Buffers that were there before and were written, but are not among the results.
    for (const auto& [buffer, spec] : written_) {
        const auto is_it = [id = buffer](const Output& each) { return each.buffer == id; };
        if (std::ranges::find(made_, buffer) != made_.end() || std::ranges::any_of(outputs_, is_it)) continue;
        const auto state = buffers_.find(buffer);
        outputs_.push_back(
            {record::TensorId::kNone, buffer, state == buffers_.end() ? spec : state->second.spec});
    }
    const NotedCall* const call = std::exchange(given_, nullptr);
    if (outputs_.empty()) return;
    std::vector<ir::TensorType> types;
    types.reserve(outputs_.size());
    for (const Output& each : outputs_)
        types.push_back(type_of(each.spec));
    ir::Attributes attributes;
    if (call != nullptr) {
        attributes = call->given.attributes();
    } else {
        for (std::size_t i = 0; i < arguments_.size(); ++i)
            if (is_attribute_[i]) attributes.set("argument_" + std::to_string(i), std::move(arguments_[i]));
    }
    add_pass(attributes);
    const auto [name, is_new] = names_.try_emplace(name_);
    if (is_new) name->second = dotted(record::text_of(name_));
    ir::Location location;
    if (place_) location = {recorded_.texts[place_->file], place_->line, recorded_.texts[place_->scope]};
    const ir::ValueRange results = graph_.append(name->second, operands_, types, attributes, {}, location);
    calls_.push_back(call_count_ - 1);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        const Output& output = outputs_[i];
        std::uint32_t version = 0;
        if (output.buffer != record::BufferId::kNone) {
            const auto [state, is_first] = buffers_.try_emplace(output.buffer);
            const bool is_written = is_first || std::ranges::any_of(written_, [&](const auto& each) {
                                        return each.first == output.buffer;
                                    });
            if (is_written) state->second = {results[i], output.spec, state->second.version + 1};
            version = state->second.version;
        }
        if (output.tensor != record::TensorId::kNone)
            tensors_.insert_or_assign(output.tensor, TensorState{results[i], version});
    }
}

void CallGraph::add_event(const Event& event) {
    switch (event.kind) {
        case EventKind::kFunctionBegin:
            if (depth_ == 0 && record::text_of(static_cast<record::TextId>(event.detail)) == kIndexingScope)
                break;
            if (depth_++ == 0) begin_call(event);
            break;
        case EventKind::kFunctionEnd:
            if (depth_ == 0 || --depth_ > 0) break;
            end_call();
            place_.reset();
            break;
        case EventKind::kArgument:
            if (depth_ == 1 && given_ == nullptr) add_argument(event);
            break;
        case EventKind::kInputTensor:
            if (depth_ == 1 && given_ == nullptr)
                add_operand({static_cast<record::TensorId>(event.id), event.payload.tensor.buffer,
                             static_cast<record::TensorSpecId>(event.detail)});
            break;
        case EventKind::kOutputTensor:
            if (depth_ != 1) break;
            outputs_.push_back({static_cast<record::TensorId>(event.id), event.payload.tensor.buffer,
                                static_cast<record::TensorSpecId>(event.detail)});
            break;
        case EventKind::kBufferAllocate:
            made_.push_back(static_cast<record::BufferId>(event.id));
            break;
        default:
            break;
    }
}

void CallGraph::add_write(record::BufferId buffer, record::TensorSpecId spec) {
    if (depth_ == 0) return;
    const auto same = [buffer](const auto& each) { return each.first == buffer; };
    if (std::ranges::none_of(written_, same)) written_.emplace_back(buffer, spec);
}

// The first place that is noted in a call is the call's; scopes within it that have its name note theirs, too.
void CallGraph::set_place(const NotedPlace& place) {
    if (depth_ == 0 || !place_) place_ = place;
}

GraphOfCalls CallGraph::finish(const std::vector<NamedTensor>& results) {
    std::vector<ir::ValueId> values;
    values.reserve(results.size());
    for (const NamedTensor& each : results)
        values.push_back(value_of(each.tensor, each.buffer, each.spec));
    graph_.set_results(values);
    return {std::move(graph_), std::move(calls_)};
}

}  // namespace tilemeter::trace::internal
