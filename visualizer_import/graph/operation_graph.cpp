// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/graph/operation_graph.hpp"

#include <array>
#include <charconv>

#include "report/python_text.hpp"
#include "visualizer_import/graph/wrapped.hpp"

namespace tilemeter::visualizer_import {
namespace {

constexpr std::size_t kMostOutputsSearched = 8;

void append_integer(std::string& out, std::int64_t number) {
    std::array<char, 24> digits{};
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

report::Error located(report::Error error, const report::JsonNode& node, std::string_view what) {
    error.position = node.position();
    error.position.append(", ").append(what);
    return error;
}

}  // namespace

void OperationGraph::clear() {
    texts_.clear();
    numbers_.clear();
    holes_.clear();
    entries_.clear();
    output_count_ = 0;
    consecutive_ = true;
    renumber_ = true;
}

void OperationGraph::add_hole(HoleKind kind) {
    holes_.push_back({texts_.size(), kind, numbers_.size(), numbers_.size()});
}

report::Status OperationGraph::append_hole(const report::JsonNode& node, HoleKind kind,
                                           const report::JsonValue& list) {
    add_hole(kind);
    for (auto element = list.children(); element.valid(); element.next()) {
        const auto number = element.value().integer();
        if (!number) {
            report::Error error{"", "", "a counter, which is an integer",
                                std::string(report::kind_name(element.value().kind()))};
            return located(error, node, kind == HoleKind::kConnections ? "connections" : "input_tensors");
        }
        numbers_.push_back(*number);
    }
    holes_.back().last = numbers_.size();
    return {};
}

report::Status OperationGraph::append_params(const report::JsonNode& node) {
    const auto device_tensors = node.params.at("device_tensors").text();
    if (devices_.empty() || (!device_tensors && !node.params.has("device_id"))) {
        report::Status appended = report::append_json_dumps(texts_, node.params);
        return appended ? appended : located(appended.error(), node, "params");
    }
    texts_ += '{';
    bool first = true;
    for (auto member = node.params.children(); member.valid(); member.next()) {
        if (!first) texts_ += ", ";
        first = false;
        report::append_json_dumps(texts_, member.key());
        texts_ += ": ";
        if (member.key() == "device_id" && !member.value().is_null()) {
            auto id = report::integer_of(member.value());
            if (!id) return located(id.error(), node, "params.device_id");
            append_integer(texts_, devices_.mapped(**id));
        } else if (member.key() == "device_tensors" && device_tensors) {
            auto read = device_tensors_.read(*device_tensors, devices_);
            if (!read) return located(read.error(), node, "params.device_tensors");
            report::append_json_dumps(texts_, (*read)->text);
        } else if (report::Status appended = report::append_json_dumps(texts_, member.value()); !appended) {
            return located(appended.error(), node, "params");
        }
    }
    texts_ += '}';
    return {};
}

report::Status OperationGraph::append_member(const report::JsonNode& node, std::string_view key,
                                             const report::JsonValue& value) {
    if (key == "counter" || key == "id") {
        add_hole(HoleKind::kCounter);
        return {};
    }
    if (key == "connections" && value.is_array()) return append_hole(node, HoleKind::kConnections, value);
    if (key == "input_tensors" && value.is_array()) return append_hole(node, HoleKind::kInputTensors, value);
    if (key == "params" && value.is_object()) return append_params(node);
    report::Status appended = report::append_json_dumps(texts_, value);
    return appended ? appended : located(appended.error(), node, key);
}

report::Status OperationGraph::append(const report::JsonNode& node) {
    Entry entry{node.counter.value_or(0), node.index, node.type, texts_.size(), 0, holes_.size(), 0};
    if (!entries_.empty() && entry.counter != wrapped_sum(entries_.back().counter, 1)) consecutive_ = false;
    texts_ += '{';
    bool has_id = false;
    for (auto member = node.json.children(); member.valid(); member.next()) {
        const std::string_view key = member.key();
        has_id = has_id || key == "id";
        report::append_json_dumps(texts_, key);
        texts_ += ": ";
        if (report::Status appended = append_member(node, key, member.value()); !appended) return appended;
        texts_ += ", ";
    }
    if (!node.counter) {
        texts_ += "\"counter\": ";
        add_hole(HoleKind::kCounter);
        texts_ += ", ";
    }
    if (has_id) {
        texts_.resize(texts_.size() - 2);
    } else {
        texts_ += "\"id\": ";
        add_hole(HoleKind::kCounter);
    }
    texts_ += '}';
    entry.text_end = texts_.size();
    entry.hole_end = holes_.size();
    entries_.push_back(entry);
    return {};
}

report::Status OperationGraph::append_with_connections(const report::JsonNode& node,
                                                       const std::vector<std::int64_t>& connections) {
    if (report::Status appended = append(node); !appended) return appended;
    replace_connections(entries_.back(), connections);
    return {};
}

void OperationGraph::replace_connections(const Entry& entry, const std::vector<std::int64_t>& connections) {
    for (std::size_t h = entry.hole_begin; h < entry.hole_end; ++h) {
        if (holes_[h].kind != HoleKind::kConnections) continue;
        holes_[h].first = numbers_.size();
        numbers_.insert(numbers_.end(), connections.begin(), connections.end());
        holes_[h].last = numbers_.size();
    }
    renumber_ = false;
}

report::Status OperationGraph::append_output(const report::JsonNode& node) {
    const bool consecutive = consecutive_;
    report::Status appended = append(node);
    consecutive_ = consecutive;
    if (appended) ++output_count_;
    return appended;
}

bool OperationGraph::append_own_output(std::size_t node_index) {
    const std::size_t own_count = entries_.size() - output_count_;
    if (own_count == 0 || node_index < entries_[0].node_index) return false;
    const std::size_t place = node_index - entries_[0].node_index;
    if (place >= own_count || entries_[place].node_index != node_index) return false;
    entries_.push_back(Entry(entries_[place]));
    ++output_count_;
    return true;
}

void OperationGraph::drop_boundaries() {
    const std::size_t dropped = std::erase_if(entries_, [](const Entry& entry) {
        return entry.type == report::NodeType::kCaptureStart || entry.type == report::NodeType::kCaptureEnd;
    });
    if (dropped > 0) consecutive_ = false;
}

// The later of two nodes with one counter counts; both ends of the graph have the counter 0.
void OperationGraph::prepare_numbering() {
    numbering_.clear();
    if (consecutive_ && output_count_ <= kMostOutputsSearched) return;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        numbering_[entries_[i].counter] = static_cast<std::int64_t>(i) + 1;
}

std::int64_t OperationGraph::renumbered(std::int64_t counter) const {
    if (!renumber_) return counter;
    if (counter == 0) return static_cast<std::int64_t>(entries_.size()) + 1;
    if (!numbering_.empty()) {
        const auto found = numbering_.find(counter);
        return found == numbering_.end() ? counter : found->second;
    }
    const std::size_t own_count = entries_.size() - output_count_;
    for (std::size_t i = entries_.size(); i > own_count; --i)
        if (entries_[i - 1].counter == counter) return static_cast<std::int64_t>(i);
    if (own_count == 0) return counter;
    const std::int64_t place = wrapped_difference(counter, entries_[0].counter);
    return place >= 0 && place < static_cast<std::int64_t>(own_count) ? place + 1 : counter;
}

void OperationGraph::append_entry(const Entry& entry, std::int64_t number) {
    std::size_t copied = entry.text_begin;
    for (std::size_t h = entry.hole_begin; h < entry.hole_end; ++h) {
        const Hole& hole = holes_[h];
        result_.append(texts_, copied, hole.position - copied);
        copied = hole.position;
        if (hole.kind == HoleKind::kCounter) {
            append_integer(result_, number);
            continue;
        }
        result_ += '[';
        for (std::size_t i = hole.first; i < hole.last; ++i) {
            const std::int64_t target = renumbered(numbers_[i]);
            if (i > hole.first) result_ += ", ";
            append_integer(result_, target);
            if (hole.kind == HoleKind::kConnections)
                edges_.push_back({number, target, static_cast<std::int64_t>(i - hole.first)});
        }
        result_ += ']';
    }
    result_.append(texts_, copied, entry.text_end - copied);
}

// One of the two nodes around an operation's own. Their keys have the reference's order, which differs where
// the operation is a free outside any function.
void OperationGraph::append_boundary(std::string_view type, std::int64_t number,
                                     std::string_view connection) {
    const std::string id = "\"id\": " + std::to_string(number);
    result_.append(R"({"arguments": [], "connections": [)").append(connection);
    result_.append(R"(], "counter": )").append(std::to_string(number)).append(", ");
    if (!renumber_) result_.append(id).append(", ");
    result_.append(R"("input_tensors": [], "node_type": ")").append(type);
    result_.append(R"(", "params": {}, "stacking_level": 0)");
    if (renumber_) result_.append(", ").append(id);
    result_ += '}';
}

std::string_view OperationGraph::text() {
    prepare_numbering();
    edges_.clear();
    // The reference takes the number of the first node for a counter of the report, too.
    const std::int64_t first = reference_quirks_ ? renumbered(1) : 1;
    edges_.push_back({0, first, 0});
    result_ = "[";
    append_boundary("capture_start", 0, std::to_string(first));
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        result_ += ", ";
        append_entry(entries_[i], static_cast<std::int64_t>(i) + 1);
    }
    result_ += ", ";
    append_boundary("capture_end", static_cast<std::int64_t>(entries_.size()) + 1, "");
    result_ += ']';
    return result_;
}

}  // namespace tilemeter::visualizer_import
