// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The graph: the part of Reader that goes through its nodes.
#include "report/internal/reader.hpp"

namespace tilemeter::report::internal {

// Nobody knows yet where in its slice the node begins.
Status Reader::at_failed_node(Status status) {
    if (status || !status.error().file.empty()) return status;
    stream_.seek(failed_node_.slice_offset);
    stream_.begin_elements();
    for (std::size_t begin = 0;;) {
        auto slice = stream_.next_elements(document_);
        if (!slice) return slice.error();
        if (!slice->has_value()) return status;
        if (failed_node_.element < begin + (*slice)->size()) return at(status, failed_node_.element - begin);
        begin += (*slice)->size();
    }
}

// graph_slices with a second thread.
template <class Use>
Status Reader::ahead_slices(Use&& use) {
    ahead_.begin(stream_);
    Status used;
    while (used) {
        auto& slice = ahead_.next();
        if (!slice.elements) used = slice.elements.error();
        if (!used || !slice.elements->has_value()) break;
        used = use(**slice.elements, slice.file_offset);
        if (used) used = report_progress(slice.file_offset);
    }
    ahead_.end();
    return used;
}

// The nodes of the graph, which comes next, some at a time: use(nodes, offset) for an array of them and where
// it lies in the file.
template <class Use>
Status Reader::graph_slices(Use&& use) {
    if (Status open = stream_.expect('[', "the graph, an array of nodes"); !open) return open;
    Status used;
    if (in_one_thread()) {
        stream_.begin_elements();
        while (used) {
            auto slice = stream_.next_elements(document_);
            if (!slice) return slice.error();
            if (!slice->has_value()) return {};
            used = use(**slice, stream_.elements_offset());
            if (used) used = report_progress();
        }
    } else {
        used = ahead_slices(use);
    }
    return at_failed_node(used);
}

// use(node) for each, numbered from `index` on.
template <class Use>
Status Reader::each_node(const JsonValue& slice, std::uint64_t offset, std::size_t index, Use&& use) {
    std::size_t i = 0;
    for (auto element = slice.children(); element.valid(); element.next(), ++i) {
        auto node = node_from_json(element.value(), index + i);
        Status used = node ? Status() : Status(node.error());
        if (used && node->damage) used = handler_.on_damage(*node, *node->damage);
        if (used) used = use(*node);
        if (used) continue;
        failed_node_ = {offset, i};
        return used;
    }
    return {};
}

Status Reader::graph_index() {
    return graph_slices([this](const JsonValue& slice, std::uint64_t offset) {
        fetcher_.add_slice(index_.size(), offset);
        return each_node(slice, offset, index_.size(), [this](const JsonNode& node) {
            index_.append(node);
            return Status();
        });
    });
}

Status Reader::graph_nodes() {
    if (Status begun = handler_.on_graph_begin(*this); !begun) return begun;
    std::size_t index = 0;
    Status read = graph_slices([&](const JsonValue& slice, std::uint64_t offset) {
        return each_node(slice, offset, index, [&](const JsonNode& node) {
            ++index;
            return handler_.on_node(node);
        });
    });
    return read ? handler_.on_graph_end() : read;
}

Result<std::uint64_t> Reader::byte_of_node(std::size_t i) {
    return fetcher_.offset(i);
}

Result<JsonNode> Reader::node_at(std::size_t i) {
    auto value = fetcher_.element(i);
    if (!value) return value.error();
    return node_from_json(*value, i);
}

}  // namespace tilemeter::report::internal
