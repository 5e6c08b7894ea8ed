// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "report/analysis/nodes/internal/append_node.hpp"
#include "report/analysis/nodes/internal/damaged_numbers.hpp"
#include "report/analysis/nodes/internal/malformed_nodes.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/python_io.hpp"
#include "report/python_text.hpp"
#include "report/text.hpp"

namespace tilemeter::analysis {
namespace internal {
namespace {

using report::JsonKind;
using report::JsonValue;

constexpr std::size_t kLongestShown = 40;

// As C reads numbers: leading blanks, a sign, digits; what follows is ignored.
Number number_of_text(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size() && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')))
        ++at;
    const bool negative = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const std::size_t first_digit = at;
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t value = 0;
    bool fits = true;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
        value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
        fits = fits && value <= kMost;
        if (!fits) value = kMost;  // and no overflow however long it is
    }
    if (at == first_digit) return Number::no_digits();
    if (!fits) return Number::too_large();
    return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

Number number_as_ttnn(const JsonValue& object, std::string_view key) {
    if (!object.has(key)) return {};
    const JsonValue value = object.at(key);
    if (const auto integer = value.integer()) return *integer;
    if (const auto text = value.text()) return number_of_text(*text);
    if (const auto big = value.big_integer()) return std::numeric_limits<std::int64_t>::max();
    if (const auto real = value.real())
        return std::fabs(*real) < 9.2e18 ? Number(static_cast<std::int64_t>(*real)) : Number::wrong_kind();
    return Number::wrong_kind();
}

MemoryType memory_of(Number buffer_type, std::string_view type) {
    const std::int64_t number = buffer_type.value_or(-1);
    if (number >= 0 && number <= static_cast<std::int64_t>(MemoryType::kTrace))
        return static_cast<MemoryType>(number);
    if (type == "DRAM") return MemoryType::kDram;
    if (type == "L1") return MemoryType::kL1;
    if (type == "L1_SMALL") return MemoryType::kL1Small;
    return type == "TRACE" ? MemoryType::kTrace : MemoryType::kSystemMemory;
}

class Appender {
public:
    Appender(NodeListBuilder& builder, const report::JsonNode& node, NumberReading reading)
        : builder_(builder),
          list_(builder.list),
          node_(node),
          params_(node.params),
          is_strict_(reading == NumberReading::kStrict) {}

    report::Status append() {
        NodeList::Node& node =
            builder_.begin(node_.type, node_.counter ? Number(*node_.counter) : Number(), level());
        if (is_strict_ && node_.damage) {
            const std::string& position = node_.damage->position;  // "node 17, counter"
            const std::string member = position.substr(position.rfind(' ') + 1);
            if (member == "counter") node.counter = Number::wrong_kind();
            note(member, *node_.damage);
        }
        for_each_index(node_.connections, "connections",
                       [&](std::int64_t target) { builder_.connect(target); });
        return append_detail();
    }

private:
    void note(std::string where, const report::Error& problem) {
        note_damage(list_.source, static_cast<std::uint32_t>(list_.nodes.size() - 1), std::move(where),
                    problem);
    }

    std::int32_t level() {
        const JsonValue& level = node_.stacking_level;
        std::int64_t depth = NodeList::kNoLevel;
        if (!is_strict_) {
            const double whole = std::clamp(level.real().value_or(0), -1e9, 1e9);
            depth = level.integer() ? *level.integer()
                    : level.real()  ? static_cast<std::int64_t>(whole)
                                    : depth;
        } else if (const auto number = report::integer_of(level)) {
            depth = number.value().value_or(depth);
        } else {
            bad_level_ = number.error();
        }
        return static_cast<std::int32_t>(
            std::clamp<std::int64_t>(depth, NodeList::kNoLevel, std::int64_t{1} << 30U));
    }

    // Those that a list of nodes names; what is no number is left out.
    template <class Take>
    void for_each_index(const JsonValue& indices, std::string_view key, Take&& take) {
        for (auto child = indices.children(); child.valid(); child.next()) {
            const auto index = is_strict_ ? report::integer_of(child.value()) : index_as_ttnn(child.value());
            if (index && index.value())
                take(*index.value());
            else if (is_strict_)
                note(std::string(key), index ? null_index() : index.error());
        }
    }
    static report::Error null_index() { return {"", "", "numbers of nodes", "null"}; }
    static report::Result<std::optional<std::int64_t>> index_as_ttnn(const JsonValue& value) {
        if (const auto integer = value.integer()) return integer;
        if (const auto boolean = value.boolean()) return std::optional<std::int64_t>(*boolean ? 1 : 0);
        if (const auto real = value.real(); real && std::fabs(*real) < 9.2e18)
            return std::optional(static_cast<std::int64_t>(*real));
        return report::integer_of(value);
    }

    report::Status append_detail() {
        if (bad_level_) note("stacking_level", *bad_level_);
        switch (node_.type) {
            case NodeType::kFunctionStart:
                return append_function();
            case NodeType::kFunctionEnd:
            case NodeType::kCaptureEnd:
                append_end();
                break;
            case NodeType::kTensor:
                if (params_.is_object()) append_tensor();
                break;
            case NodeType::kBuffer:
            case NodeType::kBufferAllocate:
            case NodeType::kBufferDeallocate:
                append_buffer();
                break;
            case NodeType::kCircularBufferAllocate:
                append_program_memory(ProgramMemoryKind::kCircularBuffer, "globally_allocated");
                break;
            case NodeType::kDataflowBufferAllocate:
                append_program_memory(ProgramMemoryKind::kDataflowBuffer, "borrows_memory");
                break;
            case NodeType::kScratchpadAllocate:
                append_program_memory(ProgramMemoryKind::kScratchpad, "borrows_memory");
                break;
            case NodeType::kCircularBufferDeallocateAll:
            case NodeType::kProgramExecution:
            case NodeType::kSubDeviceManager:
                append_program_event();
                break;
            case NodeType::kError:
                append_failure();
                break;
            case NodeType::kUnknown:
                return append_unknown();
            case NodeType::kCaptureStart:
            case NodeType::kCount:
                break;
        }
        return {};
    }

    Number number(std::string_view key) { return number_in_node(params_, key, "params."); }
    Number number_in_node(const JsonValue& object, std::string_view key, const char* where) {
        if (!is_strict_) return number_as_ttnn(object, key);
        const auto number = report::integer_of(object.at(key));
        if (number) return number.value() ? Number(*number.value()) : Number();
        note(where + std::string(key), number.error());
        return Number::wrong_kind();
    }
    // As a number, too: TT-NN's analyses add them up.
    Number flag_number(std::string_view key) {
        if (!is_strict_) return number_as_ttnn(params_, key);
        const JsonValue value = params_.at(key);
        if (value.is_null()) return {};
        const auto flag = report::flag_or_error(value);
        if (!flag) note("params." + std::string(key), flag.error());
        return number_as_ttnn(params_, key);
    }
    TextRef text(std::string_view key) {
        const auto value = params_.at(key).text();
        return value ? list_.texts.intern(*value) : TextRef::kNone;
    }

    bool flag(std::string_view key) {
        const auto flag = report::flag_or_error(params_.at(key));
        if (is_strict_ && !flag) note("params." + std::string(key), flag.error());
        return report::flag_of(params_.at(key));
    }

    // A text in which numbers stand: cores, places on devices.
    TextRef text_of_numbers(std::string_view key, bool (*is_sound)(std::string_view)) {
        const TextRef ref = text(key);
        const JsonValue value = params_.at(key);
        if (!is_strict_ || value.is_null()) return ref;
        std::string found(report::kind_name(value.kind()));
        if (ref != TextRef::kNone) {
            const auto [known, is_new] = builder_.sound_texts.try_emplace(ref, true);
            if (is_new) known->second = is_sound(list_.text(ref));
            if (known->second) return ref;
            found = report::in_quotes(report::to_valid_utf8(list_.text(ref).substr(0, kLongestShown)));
        }
        note("params." + std::string(key), {"", "", "numbers as recorders spell them", std::move(found)});
        return ref;
    }

    // A scalar counts as Python spells it.
    TextRef name() {
        const JsonValue value = params_.at("name");
        if (value.text() || !params_.has("name") || value.is_array() || value.is_object())
            return text("name");
        std::string spelled;
        report::append_python_str(spelled, value);
        return list_.texts.intern(spelled);
    }

    report::Status append_function() {
        NodeList::Function& function = builder_.function();
        function.name = name();
        function.inputs = number("inputs");
        function.cache_hit = flag("program_cache_hit");
        function.has_program = params_.has("program_factory_type");
        report::SourceOfStack source;
        for (auto frame = node_.stack_trace.children(); frame.valid(); frame.next())
            if (source.take(frame.value().text().value_or(""))) break;
        if (!source.line().empty()) function.source_line = list_.texts.intern(source.line());
        for (auto child = node_.arguments.children(); child.valid(); child.next()) {
            if (const auto argument = child.value().text())
                builder_.add_argument(*argument);
            else
                function.has_non_text_arguments = true;
        }
        for_each_index(node_.input_tensors, "input_tensors",
                       [&](std::int64_t target) { builder_.add_input_tensor(target); });
        return {};
    }

    void append_end() {
        NodeList::End& end = builder_.end();
        end.name = name();
        end.abort_reason = text("abort_reason");
        end.aborted = flag("aborted");
        if (!node_.duration_ns.boolean()) end.duration_ns = number_in_node(node_.json, "duration_ns", "");
        if (const auto flag = node_.duration_ns.boolean()) {
            end.duration_ns = *flag ? 1 : 0;  // as Python counts
            if (is_strict_) note("duration_ns", report::integer_of(node_.duration_ns).error());
        }
    }

    void append_tensor() {
        NodeList::Tensor& tensor = builder_.tensor();
        // An empty text says that there is none.
        if (params_.at("tensor_id").text() != "" || !is_strict_) tensor.tensor_id = number("tensor_id");
        keep_spelling(tensor);
        tensor.size_bytes = number("size");
        tensor.address = number("address");
        tensor.device = number("device_id");
        tensor.shape = text("shape");
        tensor.dtype = text("dtype");
        tensor.layout = text("layout");
        tensor.memory_config = text("memory_config");
        tensor.device_tensors = text_of_numbers("device_tensors", are_device_tensors);
        tensor.on_device = params_.at("storage_type").text() == "DEVICE" || tensor.address.given();
    }

    void keep_spelling(NodeList::Tensor& tensor) {
        if (!params_.has("tensor_id")) return;
        const JsonValue value = params_.at("tensor_id");
        if (value.integer()) return;
        tensor.id_is_text = value.text().has_value();
        if (const auto big = value.big_integer()) tensor.tensor_id = static_cast<std::int64_t>(*big);
        std::string spelled;
        report::append_python_str(spelled, value);
        if (!tensor.tensor_id.given() || spelled != std::to_string(tensor.tensor_id.value_or(0)))
            tensor.tensor_id_text = list_.texts.intern(spelled);
    }

    void append_buffer() {
        NodeList::Buffer& buffer = builder_.buffer();
        buffer.size_bytes = number("size");
        buffer.size_per_bank_bytes = number("max_size_per_bank");
        buffer.address = number("address");
        buffer.device = number("device_id");
        buffer.page_size_bytes = number("page_size");
        buffer.cores = number("num_cores");
        buffer.type = text("type");
        buffer.layout = text("layout");
        buffer.type_number = number("buffer_type");
        buffer.memory = memory_of(buffer.type_number, list_.text(buffer.type));
        if (is_strict_ && !is_memory(buffer)) note("params.buffer_type", no_memory());
    }

    // That it lies in a memory which is known: by its number, or in the oldest dialect by its name.
    bool is_memory(const NodeList::Buffer& buffer) const {
        if (buffer.type_number.given())
            return buffer.type_number.value_or(0) <= static_cast<std::int64_t>(MemoryType::kTrace);
        return buffer.memory != MemoryType::kSystemMemory || list_.text(buffer.type) == "SYSTEM_MEMORY";
    }
    report::Error no_memory() const {
        const auto number = report::integer_of(params_.at("buffer_type"));
        std::string found = "nothing";
        if (number && number.value()) found = std::to_string(*number.value());
        return internal::no_memory(std::move(found));
    }

    void append_program_memory(ProgramMemoryKind kind, std::string_view shared_key) {
        NodeList::ProgramMemory& piece = builder_.program_memory(kind);
        piece.size_bytes = number("size");
        piece.address = number("address");
        piece.device = number("device_id");
        piece.core_ranges = text_of_numbers("core_range_set", is_core_set);
        piece.shared_number = flag_number(shared_key);
        piece.shared = report::flag_of(params_.at(shared_key));
    }

    void append_program_event() {
        NodeList::ProgramEvent& event = builder_.program_event();
        event.device = number("device_id");
        event.physical_device = number("physical_device_id");
        event.runtime_id = number("runtime_id");
        event.sub_device = number("sub_device_id");
        event.sub_device_manager = number("sub_device_manager_id");
    }

    void append_failure() {
        NodeList::Failure& failure = builder_.failure();
        failure.type = text("error_type");
        failure.message = text("error_message");
        failure.operation = text("error_operation");
    }

    report::Status append_unknown() {
        if (node_.json.has("node_type"))
            list_.nodes.back().unknown_kind = list_.texts.intern(node_.type_name);
        if (node_.arguments.size() != 0) return append_function();
        if (node_.type_name.ends_with("_allocate"))
            append_program_memory(ProgramMemoryKind::kOther,
                                  params_.has("borrows_memory") ? "borrows_memory" : "globally_allocated");
        return {};
    }

    NodeListBuilder& builder_;
    NodeList& list_;
    const report::JsonNode& node_;
    const JsonValue& params_;
    const bool is_strict_;
    std::optional<report::Error> bad_level_;
};

ListedDevice device_of(ListSource& source, const JsonValue& device, const std::string& where,
                       std::uint64_t byte) {
    const auto number = [&](std::string_view key) { return number_in(source, device, key, where, byte); };
    ListedDevice description;
    description.id = number("device_id").value_or(0);
    description.arch = device.at("arch").text().value_or("");
    description.grid_x = number("num_x_compute_cores");
    description.grid_y = number("num_y_compute_cores");
    description.worker_l1_bytes = number("worker_l1_size");
    description.l1_banks = number("l1_num_banks");
    description.l1_bank_bytes = number("l1_bank_size");
    description.first_program_address = number("address_at_first_l1_cb_buffer");
    description.program_limit = number("cb_limit");
    description.dram_banks = number("num_dram_channels");
    description.dram_bank_bytes = number("dram_size_per_channel");
    return description;
}

}  // namespace

report::Status append_node(NodeListBuilder& builder, const report::JsonNode& node, NumberReading reading) {
    constexpr std::size_t kMostNodes = kNoIndex - 1;
    if (builder.list.nodes.size() >= kMostNodes || builder.list.indices.size() >= kMostNodes)
        return report::Error{"", node.position(), "a list of less than 2^32 nodes and connections", ""};
    return Appender(builder, node, reading).append();
}

Number number_in(ListSource& source, const report::JsonValue& object, std::string_view key,
                 const std::string& where, std::uint64_t byte) {
    const auto number = report::integer_of(object.at(key));
    if (number) return number.value() ? Number(*number.value()) : Number();
    note_damage(source, kNoIndex, where + "." + std::string(key), number.error(), byte);
    return Number::wrong_kind();
}

void append_devices(NodeList& list, const report::JsonValue& devices, std::uint64_t byte) {
    std::size_t index = 0;
    for (auto child = devices.children(); child.valid(); child.next(), ++index) {
        if (!child.value().is_object()) continue;
        const std::string where = "devices[" + std::to_string(index) + "]";
        list.devices.push_back(device_of(list.source, child.value(), where, byte));
    }
}

}  // namespace internal

namespace {

/// `append` takes one node.
template <class Append>
report::Result<NodeList> list_of(const report::JsonValue& list, Append&& append) {
    NodeListBuilder builder;
    if (list.is_object() && list.size() == 0) return std::move(builder.list);
    if (!list.is_array())
        return report::Error{"", "", "a list of nodes", std::string(report::kind_name(list.kind()))};
    std::size_t index = 0;
    for (auto child = list.children(); child.valid(); child.next(), ++index)
        if (auto status = append(builder, child.value(), index); !status) return status.error();
    return std::move(builder.list);
}

}  // namespace

report::Result<NodeList> node_list_of(const report::JsonValue& nodes) {
    auto list =
        list_of(nodes, [](NodeListBuilder& builder, const report::JsonValue& json, std::size_t index) {
            const auto node = report::node_from_json(json, index);
            return node ? internal::append_node(builder, node.value()) : report::Status(node.error());
        });
    if (list) internal::note_missing_numbers(*list);
    return list;
}

report::Result<NodeList> internal::lenient_node_list_of(const report::JsonValue& list) {
    return list_of(list, [](NodeListBuilder& builder, const report::JsonValue& json, std::size_t index) {
        std::uint32_t defects = 0;
        const report::JsonNode node = lenient_node(json, index, defects);
        if (defects != 0)
            builder.list.malformed_nodes.push_back({static_cast<std::uint32_t>(index), defects});
        return append_node(builder, node, NumberReading::kAsTtnn);
    });
}

report::Result<NodeList> node_list_of_text(std::string_view json) {
    report::JsonDocument document;
    const auto value = document.parse(json);
    if (!value) return value.error();
    return node_list_of(value.value());
}

report::Result<NodeList> node_list_of(const nlohmann::json& list) {
    return node_list_of_text(list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace tilemeter::analysis
