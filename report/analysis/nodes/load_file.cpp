// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "capture/record/emitter.hpp"
#include "report/analysis/nodes/internal/append_node.hpp"
#include "report/analysis/nodes/internal/damaged_numbers.hpp"
#include "report/analysis/nodes/internal/python_calls.hpp"
#include "report/analysis/nodes/load.hpp"
#include "report/input.hpp"
#include "report/internal/json_stream.hpp"
#include "report/report_kind.hpp"
#include "report/report_reader.hpp"
#include "report/text.hpp"

namespace tilemeter::analysis {
namespace {

/// The share of each kind of program memory that the recorder says it told; none if it says nothing.
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

/// Memory that an observed system says it can't tell.
std::string unseen_memory_in(const report::JsonValue& metadata) {
    std::string unseen;
    for (auto system = metadata.at("observed").children(); system.valid(); system.next())
        for (auto line = system.value().at("missing").children(); line.valid(); line.next()) {
            const std::string said(line.value().text().value_or(""));
            if (!said.starts_with(record::kLowerBound)) continue;
            if (!unseen.empty()) unseen += "; ";
            unseen += said.substr(record::kLowerBound.size());
        }
    return unseen;
}

/// An element of memory_at_begin, which is called `where`.
NodeList::Buffer buffer_from_before(ListSource& source, const report::JsonValue& record,
                                    const std::string& where, std::uint64_t byte) {
    const auto number = [&](std::string_view key) {
        const Number it = internal::number_in(source, record, key, where, byte);
        if (it.is_absent())
            internal::note_damage(source, kNoIndex, where + "." + std::string(key),
                                  {"", "", "an integer", "nothing"}, byte);
        return it;
    };
    const Number type = number("buffer_type");
    constexpr auto kMostTypes = static_cast<std::int64_t>(MemoryType::kTrace);
    NodeList::Buffer buffer;
    if (type.value_or(0) > kMostTypes)
        internal::note_damage(source, kNoIndex, where + ".buffer_type",
                              internal::no_memory(std::to_string(type.value_or(0))), byte);
    else if (type.given())
        buffer.memory = static_cast<MemoryType>(type.value_or(0));
    buffer.address = number("address");
    buffer.device = number("device_id");
    buffer.cores = number("num_cores");
    buffer.page_size_bytes = number("page_size");
    buffer.size_bytes = number("size");
    buffer.size_per_bank_bytes = number("size_per_bank");
    return buffer;
}

class ListLoader final : public report::ReportHandler {
public:
    explicit ListLoader(report::ReportHandler* listener) : listener_(listener) {}

    void on_section(std::string_view /*key*/, std::uint64_t file_offset) override {
        section_byte_ = file_offset;
    }
    report::Status on_version(const report::JsonValue& version) override {
        if (auto told = tell([&](auto& it) { return it.on_version(version); }); !told) return told;
        const auto found = report::FoundVersion::of(version);
        if (!found.is_known())
            builder.list.source.unknown_version = report::to_valid_utf8(found.text.substr(0, 40));
        return {};
    }
    report::Status on_metadata(const report::JsonValue& metadata) override {
        if (auto told = tell([&](auto& it) { return it.on_metadata(metadata); }); !told) return told;
        ListSource& source = builder.list.source;
        source.producer = metadata.at("producer").text().value_or("");
        source.version = metadata.at("version").text().value_or("");
        source.run_mode = metadata.at("run_mode").text().value_or("");
        const auto number = [&](std::string_view key) {
            return internal::number_in(source, metadata, key, "metadata", section_byte_);
        };
        source.capture_time_ns = number("capture_timestamp_ns");
        source.total_duration_ns = number("total_duration_ns");
        source.node_count = number("recorder_nodes");
        source.dropped_events = number("recorder_dropped_events");
        source.open_functions = number("recorder_open_functions");
        source.recovered = metadata.at("recovered").boolean().value_or(false);
        source.unseen_memory = unseen_memory_in(metadata);
        builder.list.program_memory_told = program_memory_in(metadata);
        return {};
    }
    report::Status on_devices(const report::JsonValue& devices) override {
        internal::append_devices(builder.list, devices, section_byte_);
        return {};
    }
    report::Status on_memory_at_begin(const report::JsonValue& records) override {
        std::size_t index = 0;
        for (auto child = records.children(); child.valid(); child.next(), ++index)
            builder.list.buffers_without_nodes.push_back(
                buffer_from_before(builder.list.source, child.value(),
                                   "memory_at_begin[" + std::to_string(index) + "]", section_byte_));
        return {};
    }
    report::Status on_graph_begin(report::GraphAccess& graph) override {
        graph_ = &graph;
        builder.list.source.has_graph = true;
        return {};
    }
    report::Status on_damage(const report::JsonNode& /*node*/, const report::Error& /*problem*/) override {
        return {};  // append_node notes it
    }
    report::Status on_unknown_section(std::string_view key) override {
        builder.list.source.unknown_sections.emplace_back(key);
        return {};
    }
    report::Status on_node(const report::JsonNode& node) override {
        if (auto told = tell([&](auto& it) { return it.on_node(node); }); !told) return told;
        return internal::append_node(builder, node);
    }
    report::Status on_final_pages(std::span<const report::PageRecord> pages) override {
        return tell([&](auto& it) { return it.on_final_pages(pages); });
    }
    report::Status on_pages(std::int64_t address, std::int64_t alloc_counter,
                            std::span<const report::PageRecord> pages, bool last) override {
        return tell([&](auto& it) { return it.on_pages(address, alloc_counter, pages, last); });
    }
    report::Status on_operation_buffers(std::int64_t start_counter,
                                        std::span<const report::LiveBufferRecord> buffers,
                                        bool last) override {
        return tell([&](auto& it) { return it.on_operation_buffers(start_counter, buffers, last); });
    }
    report::Status on_cluster_descriptor(std::string_view yaml) override {
        return tell([&](auto& it) { return it.on_cluster_descriptor(yaml); });
    }
    report::Status on_comparison_records(const report::JsonValue& records) override {
        return tell([&](auto& it) { return it.on_comparison_records(records); });
    }
    report::Status on_embedded_python_io(std::uint64_t file_offset) override {
        return tell([&](auto& it) { return it.on_embedded_python_io(file_offset); });
    }
    report::Status on_graph_end() override {
        internal::note_missing_numbers(builder.list);
        for (DamagedNumber& it : builder.list.source.damaged_numbers) {
            if (it.node == kNoIndex || it.byte) continue;
            const auto byte = graph_->byte_of_node(it.node);
            if (!byte) return byte.error();
            it.byte = byte.value();
        }
        return {};
    }

    NodeListBuilder builder;

private:
    template <class Tell>
    report::Status tell(Tell&& it) {
        return listener_ == nullptr ? report::Status() : it(*listener_);
    }

    report::ReportHandler* listener_;
    report::GraphAccess* graph_ = nullptr;
    std::uint64_t section_byte_ = 0;
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
        const std::size_t first = index;
        auto& damaged = builder.list.source.damaged_numbers;
        for (auto child = elements.value()->children(); child.valid(); child.next(), ++index) {
            const auto node = report::node_from_json(child.value(), index);
            if (!node) return stream.with_name(node.error());
            if (auto status = internal::append_node(builder, node.value()); !status)
                return stream.with_name(status.error());
        }
        for (DamagedNumber& it : damaged)
            if (!it.byte) it.byte = stream.element_offset(it.node - first);
    }
    internal::note_missing_numbers(builder.list);
    if (auto end = stream.expect_end(); !end) return end.error();
    return std::move(builder.list);
}

}  // namespace

report::Result<NodeList> load_node_list(const report::Input& input, report::ReportHandler* listener,
                                        const report::ReadProgress& progress) {
    report::internal::JsonStream stream(input);
    const auto first = stream.peek();
    if (!first) return first.error();
    if (first.value() == '[') {
        auto list = load_bare_list(stream);
        if (!list) return stream.input().cause_of(list.error());
        list->source.file = input.name();
        return list;
    }
    ListLoader loader(listener);
    ListSource& source = loader.builder.list.source;
    source.file = input.name();
    source.is_report = true;
    source.has_graph = false;  // until it comes
    if (auto status = report::read_report(input, loader, {.progress = progress}); !status)
        return status.error();
    return std::move(loader.builder.list);
}

report::Result<NodeList> load_node_list(const std::filesystem::path& path, report::ReportHandler* listener,
                                        const report::ReadProgress& progress) {
    auto input = report::Input::open(path);
    if (!input) return input.error();
    auto list = load_node_list(*input, listener, progress);
    if (list && list->source.is_report) internal::read_sidecar(path, *list);
    return list;
}

}  // namespace tilemeter::analysis
