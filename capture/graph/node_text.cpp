// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/graph/node_text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/graph/chips_cache.hpp"
#include "capture/graph/json_text.hpp"
#include "capture/graph/node_fields.hpp"

namespace tilemeter::graph {

namespace {

/// A Sink (node_fields.hpp) that writes bytes. What repeats - interned texts, what is known of a tensor type
/// - is made into JSON once and copied from then on.
class TextSink {
public:
    explicit TextSink(ByteWriter& out) : out_(&out) {}

    void begin_object() { open(); }
    template <std::size_t N>
    void begin_object(const char (&key)[N]) {
        begin_field(key);
        open();
    }
    void end_object() {
        out_->append('}');
        first_ = false;
    }

    template <std::size_t N>
    void number(const char (&key)[N], std::uint64_t value) {
        begin_field(key);
        out_->append_number(value);
    }
    template <std::size_t N>
    void number_text(const char (&key)[N], std::uint64_t value) {
        begin_field(key);
        out_->append('"');
        out_->append_number(value);
        out_->append('"');
    }
    template <std::size_t N>
    void flag(const char (&key)[N], bool value) {
        begin_field(key);
        out_->append(value ? std::string_view("true") : std::string_view("false"));
    }
    template <std::size_t N>
    void null(const char (&key)[N]) {
        begin_field(key);
        out_->append(std::string_view("null"));
    }
    /// REQUIRES: `value` needs no escapes.
    template <std::size_t N>
    void text(const char (&key)[N], std::string_view value) {
        begin_field(key);
        out_->append('"');
        out_->append(value);
        out_->append('"');
    }
    template <std::size_t N>
    void text(const char (&key)[N], record::TextId value) {
        begin_field(key);
        out_->append(quoted_text(value));
    }
    template <std::size_t N>
    void numbers(const char (&key)[N], std::span<const std::uint32_t> values) {
        begin_field(key);
        out_->append('[');
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) out_->append(',');
            out_->append_number(values[i]);
        }
        out_->append(']');
    }

    template <std::size_t N>
    void begin_texts(const char (&key)[N]) {
        begin_field(key);
        out_->append('[');
        first_ = true;
    }
    void begin_item() {
        separate();
        out_->append('"');
    }
    /// REQUIRES: `value` needs no escapes.
    void piece(std::string_view value) { out_->append(value); }
    void piece(record::TextId value) {
        const std::string_view with_quotes = quoted_text(value);
        out_->append(with_quotes.substr(1, with_quotes.size() - 2));
    }
    void end_item() { out_->append('"'); }
    void end_texts() {
        out_->append(']');
        first_ = false;
    }

    template <typename Write>
    void tensor_info(std::uint32_t spec, const record::TensorInfo& info, Write write) {
        if (spec >= spec_texts_.size()) spec_texts_.resize(spec + 1);
        std::string& known = spec_texts_[spec];
        if (known.empty()) {
            // Its fields stand between others, so they start with a comma unless they come first.
            ByteWriter* const out = out_;
            ByteWriter apart([&known](std::string_view bytes) { known += bytes; }, kTypeFactsBytes);
            const bool first = std::exchange(first_, false);
            out_ = &apart;
            write(*this, info);
            apart.flush();
            out_ = out;
            first_ = first;
        }
        out_->append(std::string_view(known).substr(first_ ? 1 : 0));
        first_ = false;
    }
    template <std::size_t N>
    void device_tensors(const char (&key)[N], record::DeviceId device, std::uint64_t address) {
        begin_field(key);
        out_->append('"');
        out_->append(device_tensors_text(device, chips_.of(device), address, R"(\")"));
        out_->append('"');
    }

private:
    void open() {
        out_->append('{');
        first_ = true;
    }
    void separate() {
        if (!first_) out_->append(',');
        first_ = false;
    }
    /// `,"key":`, its length known when compiled.
    template <std::size_t N>
    void begin_field(const char (&key)[N]) {
        constexpr std::size_t kLength = N - 1;
        char* at = out_->reserve(kLength + 4);
        *at = ',';
        at += first_ ? 0 : 1;
        first_ = false;
        *at++ = '"';
        std::memcpy(at, key, kLength);
        at += kLength;
        *at++ = '"';
        *at++ = ':';
        out_->advance_to(at);
    }

    std::string_view quoted_text(record::TextId id) {
        const auto index = static_cast<std::size_t>(id);
        if (index >= quoted_texts_.size()) quoted_texts_.resize(index + 1);
        std::string& known = quoted_texts_[index];
        if (known.empty()) known = quoted(record::text_of(id));
        return known;
    }

    static constexpr std::size_t kTypeFactsBytes = 1024;  // most fit; longer ones are handed on in pieces

    ByteWriter* out_;
    bool first_ = true;                      // nothing stands before the next field or item
    std::vector<std::string> quoted_texts_;  // by TextId
    std::vector<std::string> spec_texts_;    // by TensorSpecId
    ChipsCache chips_;
};

}  // namespace

void write_nodes(const NodeGraph& graph, ByteWriter& out) {
    TextSink sink(out);
    NodeFields<TextSink> fields(graph, sink);
    out.append('[');
    for (std::uint32_t counter = 0; counter < graph.nodes.size(); ++counter) {
        out.append(counter == 0 ? std::string_view("\n") : std::string_view(",\n"));
        fields.write(counter);
    }
    out.append("\n]");
}

}  // namespace tilemeter::graph
