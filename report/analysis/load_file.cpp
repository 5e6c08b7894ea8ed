// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <optional>
#include <string_view>
#include <utility>

#include "capture/record/emitter.hpp"
#include "report/analysis/internal/append_node.hpp"
#include "report/analysis/internal/python_calls.hpp"
#include "report/analysis/load.hpp"
#include "report/input.hpp"
#include "report/internal/json_stream.hpp"
#include "report/report_reader.hpp"

namespace tilemeter::analysis {
namespace {

Number number_at(const report::JsonValue& object, std::string_view key) {
    const auto number = report::integer_of(object.at(key));
    return number && number.value() ? Number(*number.value()) : Number();
}

/// What the recorder says that it told of each kind of program memory; none if it says nothing.
std::optional<record::ProgramMemoryKept> program_memory_in(const report::JsonValue& metadata) {
    const report::JsonValue said = metadata.at("program_memory");
    const auto of_kind = [&](std::string_view kind) -> std::optional<record::Completeness> {
        const auto text = said.at(kind).text();
        for (const record::Completeness each :
             {record::Completeness::kNone, record::Completeness::kPartial, record::Completeness::kComplete}) {
            if (text == name_of(each)) return each;
        }
        return std::nullopt;
    };
    const auto circular = of_kind("circular_buffers");
    const auto dataflow = of_kind("dataflow_buffers");
    const auto scratchpads = of_kind("scratchpads");
    if (!circular || !dataflow || !scratchpads) return std::nullopt;
    return record::ProgramMemoryKept{*circular, *dataflow, *scratchpads};
}

/// An element of memory_at_begin. What is no such element counts nothing.
std::optional<NodeList::Buffer> buffer_from_before(const report::JsonValue& record) {
    const Number type = number_at(record, "buffer_type");
    constexpr std::int64_t kMostTypes = 4;
    if (!type.given() || type.value_or(0) < 0 || type.value_or(0) > kMostTypes) return std::nullopt;
    NodeList::Buffer buffer;
    buffer.memory = static_cast<MemoryType>(type.value_or(0));
    buffer.address = number_at(record, "address");
    buffer.device = number_at(record, "device_id");
    buffer.cores = number_at(record, "num_cores");
    buffer.page_size_bytes = number_at(record, "page_size");
    buffer.size_bytes = number_at(record, "size");
    buffer.size_per_bank_bytes = number_at(record, "size_per_bank");
    return buffer;
}

class ListLoader final : public report::ReportHandler {
public:
    report::Status on_metadata(const report::JsonValue& metadata) override {
        ListSource& source = builder.list.source;
        source.producer = metadata.at("producer").text().value_or("");
        source.version = metadata.at("version").text().value_or("");
        source.run_mode = metadata.at("run_mode").text().value_or("");
        source.capture_time_ns = number_at(metadata, "capture_timestamp_ns");
        source.total_duration_ns = number_at(metadata, "total_duration_ns");
        source.node_count = number_at(metadata, "recorder_nodes");
        source.dropped_events = number_at(metadata, "recorder_dropped_events");
        source.recovered = metadata.at("recovered").boolean().value_or(false);
        builder.list.program_memory_told = program_memory_in(metadata);
        return {};
    }
    report::Status on_devices(const report::JsonValue& devices) override {
        internal::append_devices(builder.list, devices);
        return {};
    }
    report::Status on_memory_at_begin(const report::JsonValue& records) override {
        for (auto child = records.children(); child.valid(); child.next()) {
            if (const auto buffer = buffer_from_before(child.value()))
                builder.list.buffers_without_nodes.push_back(*buffer);
        }
        return {};
    }
    report::Status on_graph_begin(report::GraphAccess&) override {
        builder.list.source.has_graph = true;
        return {};
    }
    report::Status on_unknown_section(std::string_view key) override {
        builder.list.source.unknown_sections.emplace_back(key);
        return {};
    }
    report::Status on_node(const report::JsonNode& node) override {
        return internal::append_node(builder, node);
    }

    NodeListBuilder builder;
};

report::Result<NodeList> load_bare_list(report::internal::JsonStream& stream) {
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

report::Result<NodeList> load_node_list(const report::Input& input) {
    report::internal::JsonStream stream(input);
    const auto first = stream.peek();
    if (!first) return first.error();
    if (first.value() == '[') {
        auto list = load_bare_list(stream);
        if (!list) return stream.input().cause_of(list.error());
        list->source.file = input.name();
        return list;
    }
    ListLoader loader;
    ListSource& source = loader.builder.list.source;
    source.file = input.name();
    source.is_report = true;
    source.has_graph = false;  // until it comes
    if (auto status = report::read_report(input, loader); !status) return status.error();
    return std::move(loader.builder.list);
}

report::Result<NodeList> load_node_list(const std::filesystem::path& path) {
    auto input = report::Input::open(path);
    if (!input) return input.error();
    auto list = load_node_list(*input);
    if (list && list->source.is_report) internal::read_sidecar(path, *list);
    return list;
}

}  // namespace tilemeter::analysis
