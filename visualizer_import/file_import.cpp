// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/file_import.hpp"

#include <algorithm>

#include "report/json_file.hpp"
#include "report/python_text.hpp"
#include "report/text.hpp"
#include "visualizer_import/database/report_files.hpp"

namespace tilemeter::visualizer_import {
namespace {

using report::Error;
using report::JsonKind;
using report::JsonValue;
using report::Status;

constexpr std::string_view kReportVersion = "1";
constexpr std::size_t kLongestVersionShown = 40;

}  // namespace

bool is_our_version(const report::FoundVersion& version, bool reference_quirks) {
    if (version.kind == JsonKind::kText && reference_quirks) return false;
    if (version.kind == JsonKind::kBoolean)
        return version.text == "True" && reference_quirks;  // which is 1 in Python
    return version.is_known();
}

Error other_version(const std::filesystem::path& path, const report::FoundVersion& version) {
    return {path.string(), "version", std::string(kReportVersion),
            version.kind == JsonKind::kNull
                ? "null"
                : report::to_valid_utf8(version.text.substr(0, kLongestVersionShown))};
}

FileImport::FileImport(Database& database, const ImportOptions& options, StackSources& sources,
                       KnownDevices& known_devices, BaseOfRank base_of_rank, report::Input input,
                       std::filesystem::path path, std::optional<std::uint64_t> embedded_python_io)
    : database_(database),
      options_(options),
      sources_(sources),
      known_devices_(known_devices),
      base_of_rank_(std::move(base_of_rank)),
      input_(std::move(input)),
      path_(std::move(path)),
      embedded_python_io_(embedded_python_io),
      buffers_(database, options) {}

report::Result<bool> FileImport::read(const report::ReadOptions& reading, bool use_folder_comparison,
                                      Again& again) {
    const std::optional<std::uint64_t> known_embedded = embedded_python_io_;
    if (Status read = report::read_report(input_, *this, reading); !read) return read.error();
    // Older dialects lack it; the reference takes that for 0.
    if (!version_seen_ && options_.reference_quirks) left_out_ = report::FoundVersion{JsonKind::kNull, "0"};
    again.left_out = left_out_;
    if (embedded_python_io_ != known_embedded) again.embedded_python_io = embedded_python_io_;
    if (again.left_out || again.embedded_python_io) return false;
    if (Status written = write_rest(use_folder_comparison); !written) return written.error();
    return true;
}

FileContext FileImport::context() {
    if (!base_) base_ = base_of_rank_(rank_);
    const auto same_device = [&](const DeviceRow& row) {
        return std::equal(row.begin() + 1, row.end(), device_rows_.front().begin() + 1);
    };
    if (!options_.reference_quirks && has_one_chip(cluster_descriptor_) &&
        std::ranges::all_of(device_rows_, same_device))
        devices_.fold();
    return {database_, options_, sources_, devices_, rank_, *base_, python_io_ ? &*python_io_ : nullptr};
}

std::int64_t FileImport::last_operation_id() const {
    return base_.value_or(0) + (graph_ ? static_cast<std::int64_t>(graph_->operations().size()) : 0);
}

Status FileImport::on_version(const JsonValue& version) {
    version_seen_ = true;
    const auto found = report::FoundVersion::of(version);
    if (is_our_version(found, options_.reference_quirks)) return {};
    if (!options_.reference_quirks) return other_version(input_.name(), found);
    left_out_ = found;
    return {};
}

Status FileImport::on_metadata(const JsonValue& metadata) {
    if (!metadata.is_object() && !metadata.is_null())
        return Error{"", "", "an object", std::string(report::kind_name(metadata.kind()))};
    for (auto member = metadata.children(); member.valid(); member.next())
        report::append_python_str(metadata_.emplace_back(std::string(member.key()), "").second,
                                  member.value());
    auto rank = report::integer_of(metadata.at("rank"));
    // As the reference has it: int() of a real.
    if (const auto real = metadata.at("rank").real(); !rank && real && *real >= 0 && *real < 1e9)
        rank = std::optional(static_cast<std::int64_t>(*real));
    if (!rank) return Error{"", ".rank", rank.error().expected, rank.error().found};
    rank_ = rank->value_or(0);
    auto world_size = report::integer_of(metadata.at("world_size"));
    if (!world_size) return Error{"", ".world_size", world_size.error().expected, world_size.error().found};
    world_size_ = world_size->value_or(1);
    return {};
}

Status FileImport::on_devices(const JsonValue& devices) {
    if (!devices.is_array() && !devices.is_null())
        return Error{"", "", "an array", std::string(report::kind_name(devices.kind()))};
    auto map = DeviceMap::from(devices);
    if (!map) return map.error();
    devices_ = std::move(*map);
    const auto columns = spec_of(Table::kDevices).columns;
    for (auto device = devices.children(); device.valid(); device.next()) {
        if (!device.value().is_object()) return Error{"", "", "objects", "something else"};
        DeviceRow& row = device_rows_.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i) {
            auto number = report::integer_of(device.value().at(columns[i].name));
            if (!number)
                return Error{"", "." + std::string(columns[i].name), number.error().expected,
                             number.error().found};
            row[i] = number->value_or(0);
        }
    }
    return {};
}

Status FileImport::open_python_io() {
    const std::filesystem::path sidecar = python_io_sidecar(path_);
    if (!embedded_python_io_ && sidecar.empty()) return {};
    auto io = embedded_python_io_ ? report::PythonIo::open(input_, *embedded_python_io_)
                                  : report::PythonIo::open(sidecar);
    if (!io) return io.error();
    python_io_.emplace(std::move(*io));
    return {};
}

Status FileImport::on_graph_begin(report::GraphAccess& graph) {
    if (Status opened = open_python_io(); !opened) return opened;
    context_.emplace(context());
    graph_.emplace(*context_);
    graph_->begin(graph);
    return {};
}

Status FileImport::on_node(const report::JsonNode& node) {
    return graph_->add(node);
}

Status FileImport::on_graph_end() {
    if (Status ended = graph_->end(); !ended) return ended;
    buffers_.begin_snapshots(*context_, graph_->operations());
    return {};
}

Status FileImport::on_final_pages(std::span<const report::PageRecord> pages) {
    for (const report::PageRecord& page : pages)
        buffers_.final_pages().add(page);
    return {};
}

Status FileImport::on_pages(std::int64_t address, std::int64_t alloc_counter,
                            std::span<const report::PageRecord> pages, bool last) {
    buffers_.timeline().add_pages(address, alloc_counter, pages, last);
    return {};
}

Status FileImport::on_operation_buffers(std::int64_t start_counter,
                                        std::span<const report::LiveBufferRecord> buffers, bool last) {
    return buffers_.add_snapshot(start_counter, buffers, last);
}

Status FileImport::on_cluster_descriptor(std::string_view yaml) {
    cluster_descriptor_ = yaml;
    return {};
}

Status FileImport::on_mesh_coordinate_mapping(std::string_view yaml) {
    mesh_coordinate_mapping_ = yaml;
    return {};
}

Status FileImport::on_comparison_records(const JsonValue& records) {
    comparisons_embedded_ = !records.is_null();
    return comparisons_.read(records);
}

Status FileImport::on_embedded_python_io(std::uint64_t file_offset) {
    embedded_python_io_ = file_offset;
    return {};
}

Status FileImport::on_unknown_section(std::string_view) {
    ++unknown_sections_;
    return {};
}

Status FileImport::write_comparisons(bool use_folder_comparison) {
    if (!comparisons_embedded_) {
        bool of_folder = false;
        const std::filesystem::path sidecar = comparison_sidecar(path_, of_folder);
        if (sidecar.empty() || (of_folder && !use_folder_comparison)) return {};
        used_folder_comparison_ = of_folder;
        report::JsonDocument document;
        auto records = report::read_json_file(sidecar, document);
        if (!records) return records.error();
        if (Status read = comparisons_.read(*records); !read) {
            Error error = read.error();
            error.file = sidecar.string();
            return error;
        }
    }
    comparisons_.write(database_, rank_);
    return {};
}

void FileImport::write_metadata() {
    const auto has = [&](std::string_view key) {
        return std::ranges::any_of(metadata_, [&](const auto& entry) { return entry.first == key; });
    };
    for (const std::string_view key : {"git_url", "git_sha"})
        if (!has(key)) database_.insert<Table::kReportMetadata>(key, std::string_view());
    for (const auto& [key, value] : metadata_)
        if (key != "schema_version" || options_.reference_quirks)
            database_.insert<Table::kReportMetadata>(key, value);
}

std::string FileImport::ranked_name(std::string_view stem) const {
    std::string name(stem);
    if (world_size_ > 1)
        name.append("_")
            .append(std::to_string(wrapped_sum(rank_, 1)))
            .append("_of_")
            .append(std::to_string(world_size_));
    return name + ".yaml";
}

Status FileImport::write_rest(bool use_folder_comparison) {
    if (!context_) context_.emplace(context());
    for (DeviceRow row : device_rows_) {
        row[0] = devices_.mapped(row[0]);
        const bool is_new = known_devices_.insert({rank_, row[0]}).second;
        if (!is_new && !options_.reference_quirks) continue;
        std::apply([&](const auto&... values) { database_.insert<Table::kDevices>(values..., rank_); }, row);
    }
    if (Status written = buffers_.write(*context_, graph_ ? &graph_->lifetimes() : nullptr); !written)
        return written;
    if (graph_ && python_io_ && python_io_->has_stack_traces()) {
        std::string json = graph_->tensor_io().write_lifetimes(database_);
        if (!json.empty())
            side_files_[report::report_stem(path_) + ".tensor_lifetime.json"] = std::move(json);
    }
    if (Status written = write_comparisons(use_folder_comparison); !written) return written;
    write_metadata();
    if (!cluster_descriptor_.empty()) side_files_[ranked_name("cluster_descriptor")] = cluster_descriptor_;
    if (!mesh_coordinate_mapping_.empty())
        side_files_[ranked_name("physical_chip_mesh_coordinate_mapping")] = mesh_coordinate_mapping_;
    return database_.status();
}

std::vector<std::pair<std::string, std::int64_t>> FileImport::info() const {
    if (!graph_) return {};
    const GraphInfo& info = graph_->info();
    const ProgramMemory::Peak& peak = graph_->program_memory().peak();
    const BufferRows::Peak& snapshot_peak = buffers_.snapshot_peak();
    const bool snapshots_tell_more = snapshot_peak.live_l1_bytes > peak.bytes_per_core;
    const auto count = [](std::uint64_t number) { return static_cast<std::int64_t>(number); };
    return {
        {"nodes", count(info.nodes)},
        {"unknown_nodes", count(info.unknown_nodes)},
        {"outermost_functions", count(info.outermost_functions)},
        {"unknown_sections", count(unknown_sections_)},
        {"executions", count(info.executions)},
        {"executions_without_program_memory", count(info.executions_without_program_memory)},
        {"incomplete_operations", count(info.incomplete_operations)},
        {"unmatched_function_ends", count(info.unmatched_function_ends)},
        {"dropped_executions", count(info.dropped_executions)},
        {"foreign_python_records", count(info.foreign_records)},
        {"placed_buffers", count(graph_->lifetimes().placed_count())},
        {"overlapping_buffers", count(graph_->lifetimes().overlapping_count())},
        {"peak_l1_bytes_per_core", snapshots_tell_more ? snapshot_peak.live_l1_bytes : peak.bytes_per_core},
        {"peak_l1_operation_id", snapshots_tell_more ? snapshot_peak.operation_id : peak.operation_id},
    };
}

}  // namespace tilemeter::visualizer_import
