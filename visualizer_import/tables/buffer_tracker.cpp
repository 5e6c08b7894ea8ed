// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/tables/buffer_tracker.hpp"

#include <array>
#include <utility>

#include "visualizer_import/graph/wrapped.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::JsonNode;
using report::JsonValue;
using report::NodeType;
using report::Status;

constexpr std::string_view kInterleaved = "INTERLEAVED";

struct LayoutNumber {
    std::string_view name;
    std::int64_t runtime;    // and viewer
    std::int64_t reference;  // of the reference importer
};
constexpr std::array<LayoutNumber, 4> kLayouts{{
    {kInterleaved, 0, 0},
    {"HEIGHT_SHARDED", 2, 1},
    {"WIDTH_SHARDED", 3, 2},
    {"BLOCK_SHARDED", 4, 3},
}};

std::int64_t layout_number(std::string_view name, bool reference_quirks) {
    for (const LayoutNumber& layout : kLayouts)
        if (layout.name == name) return reference_quirks ? layout.reference : layout.runtime;
    return 0;
}

struct BufferShape {
    std::int64_t size, page_size, num_cores, buffer_type;
    std::string_view layout;
};

// For dialects that don't say it.
std::int64_t size_per_bank(const BufferShape& shape, const BankCounts& banks) {
    if (shape.page_size <= 0 || shape.size <= 0) return shape.size;
    const bool interleaved = shape.layout == kInterleaved;
    const std::int64_t bank_count = !interleaved             ? shape.num_cores
                                    : shape.buffer_type == 0 ? banks.dram_channels
                                                             : banks.l1_banks;
    if (bank_count <= 0) return shape.size;
    return ceil_div(shape.size / shape.page_size, bank_count) * shape.page_size;
}

}  // namespace

BufferTracker::BufferTracker(const FileContext& context, TensorTable& tensors)
    : context_(context), tensors_(tensors), lifetimes_(context.devices, context.options.reference_quirks) {}

report::Result<report::LiveBufferRecord> BufferTracker::described_buffer(const JsonNode& node) const {
    struct Member {
        std::string_view key;
        std::optional<std::int64_t> value;
    };
    std::array<Member, 7> members{{{"device_id", {}},
                                   {"address", {}},
                                   {"size", {}},
                                   {"page_size", {}},
                                   {"num_cores", {}},
                                   {"buffer_type", {}},
                                   {"max_size_per_bank", {}}}};
    for (Member& member : members) {
        auto number = report::integer_param(node, member.key);
        if (!number) return number.error();
        member.value = *number;
    }
    auto layout = report::text_param(node, "layout");
    if (!layout) return layout.error();
    // The oldest dialect says it by name only.
    if (!members[5].value && !reference_quirks() && node.params.at("type").text() == "L1")
        members[5].value = 1;
    const auto value = [&](std::size_t i) { return members[i].value.value_or(0); };
    const std::int64_t device_id = context_.devices.mapped(value(0));
    const BufferShape shape{value(2), value(3), value(4), value(5), layout->value_or(kInterleaved)};
    const std::int64_t size =
        members[6].value ? *members[6].value : size_per_bank(shape, context_.devices.banks(device_id));
    return report::LiveBufferRecord{device_id, value(1), size, value(5),
                                    layout_number(shape.layout, reference_quirks())};
}

Status BufferTracker::allocate(const JsonNode& node) {
    auto described = described_buffer(node);
    if (!described) return described.error();
    const report::LiveBufferRecord& buffer = *described;
    auto connections = report::counters_in(node, node.connections, "connections");
    if (!connections) return connections.error();
    const std::size_t buffer_node =
        connections->empty() ? EventLifetimes::kNoNode : static_cast<std::size_t>(connections->front());
    if (!reference_quirks())
        if (const auto gone = earlier_buffers_.allocated(buffer_node, buffer, lifetimes_.operation_count()))
            lifetimes_.release(*gone);
    const std::int64_t placed = lifetimes_.allocate(buffer, buffer_node);
    const bool has_node = connections->size() == 1 && buffer_node < graph_->index().size();
    return placed != buffer.address && has_node ? place_tensors(buffer_node, placed) : Status();
}

// The tensors in a buffer without address are where it was placed.
Status BufferTracker::place_tensors(std::size_t buffer_node, std::int64_t address) {
    if (last_buffer_.node != buffer_node) {
        auto node = graph_->node_at(buffer_node);
        if (!node) return node.error();
        if (Status kept = keep_connections(*node); !kept) return kept;
    }
    const report::NodeIndex& graph = graph_->index();
    for (const std::int64_t counter : last_buffer_.connections) {
        if (counter < 0 || static_cast<std::size_t>(counter) >= graph.size()) continue;
        if (const auto id = graph.tensor_id(static_cast<std::size_t>(counter))) tensors_.place(*id, address);
    }
    return {};
}

Status BufferTracker::add_buffer(const JsonNode& node) {
    Status kept = keep_connections(node);
    if (reference_quirks()) return {};
    return kept ? add_earlier_buffer(node) : kept;
}

Status BufferTracker::keep_connections(const JsonNode& node) {
    last_buffer_.node = EventLifetimes::kNoNode;
    auto connections = report::counters_in(node, node.connections, "connections");
    if (!connections) return connections.error();
    last_buffer_ = {node.index, std::move(*connections)};
    return {};
}

// A buffer that is older than the capture is mentioned with a tensor in it, whose node comes first.
Status BufferTracker::add_earlier_buffer(const JsonNode& node) {
    auto device_id = report::integer_param(node, "device_id");
    if (!device_id) return device_id.error();
    auto size = report::integer_param(node, "size");
    if (!size) return size.error();
    auto buffer_type = report::integer_param(node, "buffer_type");
    if (!buffer_type) return buffer_type.error();
    auto layout = report::text_param(node, "layout");
    if (!layout) return layout.error();
    const std::string_view layout_name = layout->value_or(kInterleaved);
    report::LiveBufferRecord buffer{context_.devices.mapped(device_id->value_or(0)), 0, 0,
                                    buffer_type->value_or(0), layout_number(layout_name, false)};
    const std::vector<std::int64_t>& connections = last_buffer_.connections;
    const auto first = connections.empty() ? node.index : static_cast<std::size_t>(connections.front());
    const auto tensor_id = first < node.index ? graph_->index().tensor_id(first) : std::nullopt;
    if (const TensorRow* tensor = tensor_id ? tensors_.find(*tensor_id) : nullptr; tensor != nullptr) {
        buffer.address = tensor->address.value_or(0);
        buffer.max_size_per_bank = bytes_per_bank(*tensor, size->value_or(0), layout_name == kInterleaved,
                                                  context_.devices.banks(buffer.device_id))
                                       .value_or(0);
    }
    if (earlier_buffers_.add(node.index, buffer)) lifetimes_.reserve(buffer);
    return {};
}

report::Result<std::optional<std::int64_t>> BufferTracker::free(const JsonNode& node) {
    auto address = report::integer_param(node, "address");
    if (!address) return address.error();
    auto device_id = report::integer_param(node, "device_id");
    if (!device_id) return device_id.error();
    auto buffer_type = report::integer_param(node, "buffer_type");
    if (!buffer_type) return buffer_type.error();
    auto connections = report::counters_in(node, node.connections, "connections");
    if (!connections) return connections.error();
    const report::NodeIndex& graph = graph_->index();
    if (!*address) {
        for (const std::int64_t counter : *connections) {
            const auto i = static_cast<std::size_t>(counter);
            if (counter < 0 || i >= graph.size() || graph.type(i) != NodeType::kBufferAllocate) continue;
            *address = graph.address(i);
            break;
        }
    }
    const std::int64_t device = context_.devices.mapped(device_id->value_or(0));
    std::optional<std::int64_t> tensor_id;
    if (reference_quirks()) {
        if (*address) {
            lifetimes_.free_address(**address);
            tensor_id = tensors_.first_at(**address);
        }
    } else {
        const std::size_t buffer_node =
            connections->empty() ? EventLifetimes::kNoNode : static_cast<std::size_t>(connections->front());
        const auto freed_device = *device_id ? std::optional(device) : std::nullopt;
        lifetimes_.free_buffer({address->value_or(0), freed_device, *buffer_type}, buffer_node);
        auto described = described_buffer(node);
        if (!described) return described.error();
        if (const auto freed = earlier_buffers_.freed(buffer_node, *described, lifetimes_.operation_count()))
            lifetimes_.release(*freed);
        if (address->value_or(0) != 0) tensor_id = tensors_.latest_at(**address, device);
    }
    return tensor_id;
}

void BufferTracker::end() {
    for (const BufferSpan& span : earlier_buffers_.spans(lifetimes_.operation_count()))
        lifetimes_.add_span(span);
}

}  // namespace tilemeter::visualizer_import
