// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/node_json.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "capture/graph/chips_cache.hpp"
#include "capture/graph/json_text.hpp"
#include "capture/graph/node_fields.hpp"

namespace tilemeter::graph {

namespace {

using nlohmann::json;

/// A Sink (node_fields.hpp) that makes one JSON object after the other.
class JsonSink {
public:
    explicit JsonSink(std::size_t nodes) { list_.reserve(nodes); }

    json::array_t take() { return std::move(list_); }

    void begin_object() { node_.clear(); }
    void begin_object(const char* key) {
        key_of_inner_ = key;
        in_inner_ = true;
    }
    void end_object() {
        if (in_inner_) {
            in_inner_ = false;
            add(key_of_inner_, std::exchange(inner_, {}));
        } else {
            list_.emplace_back(std::exchange(node_, {}));
        }
    }

    void number(const char* key, std::uint64_t value) { add(key, value); }
    void number_text(const char* key, std::uint64_t value) { add(key, std::to_string(value)); }
    void flag(const char* key, bool value) { add(key, value); }
    void null(const char* key) { add(key, nullptr); }
    void text(const char* key, std::string_view value) { add(key, valid_utf8(value)); }
    void text(const char* key, record::TextId value) { text(key, record::text_of(value)); }
    void numbers(const char* key, std::span<const std::uint32_t> values) {
        add(key, json::array_t(values.begin(), values.end()));
    }

    void begin_texts(const char* key) { key_of_texts_ = key; }
    void begin_item() { item_.clear(); }
    void piece(std::string_view value) { item_ += value; }
    void piece(record::TextId value) { item_ += record::text_of(value); }
    void end_item() { texts_.emplace_back(valid_utf8(item_)); }
    void end_texts() { add(key_of_texts_, std::exchange(texts_, {})); }

    template <typename Write>
    void tensor_info(std::uint32_t, const record::TensorInfo& info, Write write) {
        write(*this, info);
    }
    void device_tensors(const char* key, record::DeviceId device, std::uint64_t address) {
        text(key, std::string_view(device_tensors_text(device, chips_.of(device), address, "\"")));
    }

private:
    template <typename Value>
    void add(std::string_view key, Value&& value) {
        // Keys come sorted, so each belongs at the end.
        json::object_t& object = in_inner_ ? inner_ : node_;
        object.emplace_hint(object.end(), key, std::forward<Value>(value));
    }

    json::array_t list_;
    json::object_t node_;
    json::object_t inner_;
    json::array_t texts_;
    std::string item_;
    const char* key_of_inner_ = nullptr;
    const char* key_of_texts_ = nullptr;
    bool in_inner_ = false;
    ChipsCache chips_;
};

}  // namespace

json to_json(const NodeGraph& graph) {
    JsonSink sink(graph.nodes.size());
    NodeFields<JsonSink> fields(graph, sink);
    for (std::uint32_t counter = 0; counter < graph.nodes.size(); ++counter)
        fields.write(counter);
    return sink.take();
}

}  // namespace tilemeter::graph
