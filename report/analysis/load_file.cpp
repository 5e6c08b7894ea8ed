// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <optional>
#include <string_view>
#include <utility>

#include "report/analysis/internal/append_node.hpp"
#include "report/analysis/load.hpp"
#include "report/internal/json_stream.hpp"
#include "report/report_reader.hpp"

namespace tilemeter::graph {
namespace {

class ListLoader final : public report::ReportHandler {
public:
    report::Status on_metadata(const report::JsonValue& metadata) override {
        const auto producer = metadata.at("producer").text();
        builder.list.program_memory_is_complete = producer && producer->starts_with("tilemeter");
        return {};
    }
    report::Status on_devices(const report::JsonValue& devices) override {
        internal::append_devices(builder.list, devices);
        return {};
    }
    report::Status on_node(const report::Node& node) override { return internal::append_node(builder, node); }

    NodeListBuilder builder;
};

report::Result<NodeList> load_bare_list(report::internal::JsonStream stream) {
    if (auto open = stream.expect('[', "a list of nodes"); !open) return open.error();
    NodeListBuilder builder;
    report::JsonDocument document;
    std::size_t index = 0;
    stream.begin_elements();
    while (true) {
        auto elements = stream.next_elements(document);
        if (!elements) return elements.error();
        if (!elements.value()) break;
        for (auto child = elements.value()->children(); child.valid(); child.next(), ++index) {
            const auto node = report::node_from_json(child.value(), index);
            if (!node) return stream.with_name(node.error());
            if (auto status = internal::append_node(builder, node.value()); !status)
                return stream.with_name(status.error());
        }
    }
    if (auto end = stream.expect_end(); !end) return end.error();
    return std::move(builder.list);
}

}  // namespace

report::Result<NodeList> load_node_list(const std::filesystem::path& path) {
    auto stream = report::internal::JsonStream::open(path);
    if (!stream) return stream.error();
    const auto first = stream->peek();
    if (!first) return first.error();
    if (first.value() == '[') return load_bare_list(std::move(stream.value()));
    ListLoader loader;
    if (auto status = report::read_report(path, loader); !status) return status.error();
    return std::move(loader.builder.list);
}

}  // namespace tilemeter::graph
