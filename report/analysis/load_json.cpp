// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "report/analysis/internal/append_node.hpp"
#include "report/analysis/internal/malformed_nodes.hpp"
#include "report/analysis/load.hpp"
#include "report/python_io.hpp"
#include "report/python_text.hpp"

namespace tilemeter::analysis {
namespace internal {
namespace {

using report::JsonKind;
using report::JsonValue;

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

Number number_of(const JsonValue& object, std::string_view key) {
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
    Appender(NodeListBuilder& builder, const report::JsonNode& node, BadConnections bad)
        : builder_(builder), list_(builder.list), node_(node), params_(node.params), bad_(bad) {}

    report::Status append() {
        const JsonValue& level = node_.stacking_level;
        const double whole = std::clamp(level.real().value_or(0), -1e9, 1e9);
        const std::int64_t depth = level.integer() ? *level.integer()
                                   : level.real()  ? static_cast<std::int64_t>(whole)
                                                   : NodeList::kNoLevel;
        builder_.begin(node_.type, node_.counter ? Number(*node_.counter) : Number(),
                       static_cast<std::int32_t>(
                           std::clamp<std::int64_t>(depth, NodeList::kNoLevel, std::int64_t{1} << 30U)));
        if (auto status = append_connections(); !status) return status;
        return append_detail();
    }

private:
    report::Status bad_index(std::string_view key) const {
        return report::Error{"", node_.position() + ", " + std::string(key), "numbers of nodes", ""};
    }

    report::Status append_connections() {
        for (auto child = node_.connections.children(); child.valid(); child.next()) {
            const auto index = report::integer_of(child.value());
            if (index && index.value())
                builder_.connect(*index.value());
            else if (bad_ == BadConnections::kFail)
                return bad_index("connections");
        }
        return {};
    }

    report::Status append_detail() {
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

    Number number(std::string_view key) const { return number_of(params_, key); }
    TextRef text(std::string_view key) {
        const auto value = params_.at(key).text();
        return value ? list_.texts.intern(*value) : TextRef::kNone;
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
        function.cache_hit = report::flag_of(params_.at("program_cache_hit"));
        function.has_program = params_.has("program_factory_type");
        if (const auto frame = node_.stack_trace.children(); frame.valid())
            if (const std::string line = report::source_line_of_frame(frame.value().text().value_or(""));
                !line.empty())
                function.source_line = list_.texts.intern(line);
        for (auto child = node_.arguments.children(); child.valid(); child.next()) {
            if (const auto argument = child.value().text())
                builder_.add_argument(*argument);
            else
                function.has_non_text_arguments = true;
        }
        for (auto child = node_.input_tensors.children(); child.valid(); child.next()) {
            const auto index = report::integer_of(child.value());
            if (index && index.value())
                builder_.add_input_tensor(*index.value());
            else if (bad_ == BadConnections::kFail)
                return bad_index("input_tensors");
        }
        return {};
    }

    void append_end() {
        NodeList::End& end = builder_.end();
        end.name = name();
        end.abort_reason = text("abort_reason");
        end.aborted = report::flag_of(params_.at("aborted"));
        end.duration_ns = number_of(node_.json, "duration_ns");
        if (const auto flag = node_.duration_ns.boolean())
            end.duration_ns = *flag ? 1 : 0;  // as Python counts
    }

    void append_tensor() {
        NodeList::Tensor& tensor = builder_.tensor();
        tensor.tensor_id = number("tensor_id");
        keep_spelling(tensor);
        tensor.size_bytes = number("size");
        tensor.address = number("address");
        tensor.device = number("device_id");
        tensor.shape = text("shape");
        tensor.dtype = text("dtype");
        tensor.layout = text("layout");
        tensor.memory_config = text("memory_config");
        tensor.device_tensors = text("device_tensors");
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
        buffer.memory = memory_of(number("buffer_type"), list_.text(buffer.type));
    }

    void append_program_memory(ProgramMemoryKind kind, std::string_view shared_key) {
        NodeList::ProgramMemory& piece = builder_.program_memory(kind);
        piece.size_bytes = number("size");
        piece.address = number("address");
        piece.device = number("device_id");
        piece.core_ranges = text("core_range_set");
        piece.shared_number = number(shared_key);
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
    const BadConnections bad_;
};

ListedDevice device_of(const JsonValue& device) {
    ListedDevice description;
    description.id = number_of(device, "device_id").value_or(0);
    description.arch = device.at("arch").text().value_or("");
    description.grid_x = number_of(device, "num_x_compute_cores");
    description.grid_y = number_of(device, "num_y_compute_cores");
    description.worker_l1_bytes = number_of(device, "worker_l1_size");
    description.l1_banks = number_of(device, "l1_num_banks");
    description.l1_bank_bytes = number_of(device, "l1_bank_size");
    description.first_program_address = number_of(device, "address_at_first_l1_cb_buffer");
    description.program_limit = number_of(device, "cb_limit");
    description.dram_banks = number_of(device, "num_dram_channels");
    description.dram_bank_bytes = number_of(device, "dram_size_per_channel");
    return description;
}

}  // namespace

report::Status append_node(NodeListBuilder& builder, const report::JsonNode& node, BadConnections bad) {
    constexpr std::size_t kMostNodes = kNoIndex - 1;
    if (builder.list.nodes.size() >= kMostNodes || builder.list.indices.size() >= kMostNodes)
        return report::Error{"", node.position(), "a list of less than 2^32 nodes and connections", ""};
    return Appender(builder, node, bad).append();
}

void append_devices(NodeList& list, const report::JsonValue& devices) {
    for (auto child = devices.children(); child.valid(); child.next())
        if (child.value().is_object()) list.devices.push_back(device_of(child.value()));
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

report::Result<NodeList> node_list_of(const report::JsonValue& list) {
    return list_of(list, [](NodeListBuilder& builder, const report::JsonValue& json, std::size_t index) {
        const auto node = report::node_from_json(json, index);
        return node ? internal::append_node(builder, node.value()) : report::Status(node.error());
    });
}

report::Result<NodeList> internal::lenient_node_list_of(const report::JsonValue& list) {
    return list_of(list, [](NodeListBuilder& builder, const report::JsonValue& json, std::size_t index) {
        std::uint32_t defects = 0;
        const report::JsonNode node = lenient_node(json, index, defects);
        if (defects != 0)
            builder.list.malformed_nodes.push_back({static_cast<std::uint32_t>(index), defects});
        return append_node(builder, node, BadConnections::kLeaveOut);
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
