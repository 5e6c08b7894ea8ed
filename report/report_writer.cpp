// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/report_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "capture/graph/byte_writer.hpp"
#include "capture/graph/json_text.hpp"
#include "capture/graph/node_graph.hpp"
#include "capture/graph/node_text.hpp"
#include "capture/graph/open_functions.hpp"
#include "capture/graph/overhead.hpp"
#include "capture/log/log.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/emitter.hpp"
#include "report/file_replacement.hpp"
#include "report/internal/build_info.hpp"
#include "report/internal/page_sections.hpp"

namespace tilemeter::report {

namespace {

using graph::ByteWriter;
using nlohmann::json;

json device_record(record::DeviceId id, const record::DeviceInfo& info) {
    return {{"address_at_first_l1_bank", info.address_at_first_l1_bank},
            {"address_at_first_l1_cb_buffer", info.address_at_first_l1_cb_buffer},
            {"arch", info.arch},
            {"cb_limit", info.cb_limit},
            {"device_id", record::number_of(id)},
            {"dram_size_per_channel", info.dram_size_per_channel},
            {"l1_bank_size", info.l1_bank_size},
            {"l1_num_banks", info.l1_num_banks},
            {"num_banks_per_storage_core", info.num_banks_per_storage_core},
            {"num_compute_cores", info.num_compute_cores},
            {"num_dram_channels", info.num_dram_channels},
            {"num_storage_cores", info.num_storage_cores},
            {"num_x_compute_cores", info.num_x_compute_cores},
            {"num_x_cores", info.num_x_cores},
            {"num_y_compute_cores", info.num_y_compute_cores},
            {"num_y_cores", info.num_y_cores},
            {"total_l1_for_interleaved_buffers", info.total_l1_for_interleaved_buffers},
            {"total_l1_for_sharded_buffers", info.total_l1_for_sharded_buffers},
            {"total_l1_for_tensors", info.total_l1_for_tensors},
            {"total_l1_memory", info.total_l1_memory},
            {"worker_l1_size", info.worker_l1_size}};
}

/// The recorder's work and its cost, beside TT-NN's fields; a reader that does not know them has them as texts.
void add_recorder_info(const graph::NodeGraph& nodes, json& metadata) {
    const record::Recording& recording = nodes.recording;
    std::uint64_t kept = 0;
    for (const record::ThreadSlice& slice : recording.threads)
        kept += slice.end - slice.begin;
    metadata["recorder_detail"] = record::name_of(recording.detail);
    metadata["recorder_events"] = kept;
    metadata["recorder_nodes"] = nodes.nodes.size();  // a reader sees whether some were lost on the way
    // Functions of threads that were still in them: nothing is missing from the list.
    if (const std::size_t open = graph::count_open_functions(nodes); open > 0 && !recording.recovered)
        metadata["recorder_open_functions"] = open;
    const bool stacks = std::any_of(nodes.functions.begin(), nodes.functions.end(), [](const auto& function) {
        return function.begin->payload.call.stack != record::StackId::kNone;
    });
    const graph::EventCost cost = graph::measure_event_cost(stacks);
    metadata["recorder_event_ns"] = cost.event_ns;
    if (stacks) metadata["recorder_stack_ns"] = cost.stack_ns;
    const std::uint64_t counted = recording.counted.total();
    if (recording.detail == record::Detail::kCounters) {
        for (std::size_t kind = 0; kind < recording.counted.by_kind.size(); ++kind) {
            if (recording.counted.by_kind[kind] > 0)
                metadata["recorder_count_" + std::string(name_of(static_cast<record::EventKind>(kind)))] =
                    recording.counted.by_kind[kind];
        }
    }
    const std::uint64_t dropped =
        recording.overwritten + (recording.detail == record::Detail::kCounters ? 0 : counted);
    if (dropped > 0) {
        metadata["recorder_dropped_events"] = dropped;
        metadata["recorder_dropped"] =
            recording.when_full == record::FullPolicy::kDropOldest ? "oldest" : "newest";
    }
    if (recording.recovered) {
        metadata["recovered"] = true;
        metadata["incomplete_operations"] = recording.incomplete_functions;
    }
}

/// The observed system, where it was not this library's own runtime, and how much of each kind of program memory the
/// nodes tell: as much as the emitter that tells the least.
void add_observed(const record::Recording& recording, json& metadata) {
    json observed = json::array();
    for (const record::EmitterId emitter : record::emitters_in(recording)) {
        if (emitter == record::EmitterId::kRuntime) continue;
        const record::EmitterInfo info = record::emitter_info(emitter);
        observed.push_back({{"name", info.name},
                            {"version", info.version},
                            {"git_sha", info.git_sha},
                            {"missing", info.missing}});
    }
    if (!observed.empty()) metadata["observed"] = std::move(observed);
    const record::ProgramMemoryKept kept = record::program_memory_kept(recording);
    metadata["program_memory"] = {{"circular_buffers", record::name_of(kept.circular_buffers)},
                                  {"dataflow_buffers", record::name_of(kept.dataflow_buffers)},
                                  {"scratchpads", record::name_of(kept.scratchpads)}};
}

json metadata_record(const graph::NodeGraph& nodes, const ReportOrigin& origin) {
    const std::string_view sha = internal::kBuildGitSha;
    constexpr std::size_t kShortSha = 10;
    json metadata = {{"build_type", internal::kBuildType},
                     {"capture_timestamp_ns", nodes.recording.wall_clock_ns},
                     {"dirty", internal::kBuildDirty},
                     {"git_sha", sha},
                     {"git_sha_short", sha.substr(0, kShortSha)},
                     {"producer", std::string("tilemeter ") + internal::kBuildVersion},
                     {"rank", origin.rank},
                     {"run_mode", nodes.recording.mode == record::RunMode::NORMAL ? "NORMAL" : "NO_DISPATCH"},
                     {"total_duration_ns", nodes.duration_ns},
                     {"version", kReportDialect},
                     {"world_size", origin.world_size}};
    add_recorder_info(nodes, metadata);
    add_observed(nodes.recording, metadata);
    return metadata;
}

std::string compact(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Devices that nobody announced have no record: unknown is not 0.
void append_devices(const graph::NodeGraph& nodes, ByteWriter& out, std::string& cluster_descriptor) {
    bool first = true;
    for (const record::DeviceId id : nodes.devices) {
        const auto info = record::device_info_of(id);
        if (!info) continue;
        if (cluster_descriptor.empty()) cluster_descriptor = info->cluster_descriptor;
        out.append(std::exchange(first, false) ? "\n" : ",\n");
        out.append(compact(device_record(id, *info)));
    }
}

void append_report(const graph::NodeGraph& nodes, const ReportOrigin& origin, ByteWriter& out) {
    std::string devices;
    std::string cluster_descriptor;
    ByteWriter to_devices([&devices](std::string_view bytes) { devices += bytes; });
    append_devices(nodes, to_devices, cluster_descriptor);
    to_devices.flush();
    if (cluster_descriptor.empty()) cluster_descriptor = record::latest_cluster_descriptor();

    std::optional<internal::PageSections> pages;
    const bool failed =
        std::any_of(nodes.nodes.begin(), nodes.nodes.end(),
                    [](const graph::CapturedNode& node) { return node.type == graph::NodeType::kError; });
    if (nodes.recording.pages || failed) pages.emplace(nodes);
    out.append("{\n");
    if (nodes.recording.pages) pages->append_pages(out);
    if (!cluster_descriptor.empty()) {
        out.append("\"cluster_descriptor\":");
        out.append(graph::quoted(cluster_descriptor));
        out.append(",\n");
    }
    out.append("\"devices\":[");
    out.append(devices);
    out.append("],\n\"graph\":");
    graph::write_nodes(nodes, out);
    out.append(",\n");
    internal::append_memory_at_begin(nodes, out);
    if (failed) {
        pages->append_memory_at_failure(out);
        out.append(",\n");
    }
    out.append("\"metadata\":");
    out.append(compact(metadata_record(nodes, origin)));
    if (nodes.recording.pages) {
        out.append(",\n");
        pages->append_per_operation(out);
    }
    out.append(",\n\"version\":");
    out.append_number(kReportVersion);
    out.append("\n}\n");
}

}  // namespace

ReportOrigin origin_of_process() {
    const auto number = [](const char* name) -> std::optional<std::uint32_t> {
        const char* const text = std::getenv(name);
        if (text == nullptr) return std::nullopt;
        const std::string_view digits = text;
        std::uint32_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
        return value;
    };
    for (const auto& [rank_name, size_name] :
         {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, std::pair{"PMI_RANK", "PMI_SIZE"}}) {
        const auto rank = number(rank_name), size = number(size_name);
        if (rank && size && *rank < *size) return {*rank, *size};
    }
    return {};
}

Status check_report_path(const std::filesystem::path& path) {
    return FileReplacement::check(path);
}

std::string report_text(const graph::CapturedGraph& graph, const ReportOrigin& origin) {
    std::string text;
    ByteWriter out([&text](std::string_view bytes) { text += bytes; });
    append_report(graph.nodes(), origin, out);
    out.flush();
    return text;
}

Status write_report(const graph::CapturedGraph& graph, const std::filesystem::path& path,
                    const ReportOrigin& origin) {
    Result<FileReplacement> file = FileReplacement::open(path);
    if (!file) return file.error();
    struct Stopped {
        Error error;
    };
    try {
        ByteWriter out([&file](std::string_view bytes) {
            if (Status status = file->write(bytes); !status) throw Stopped{status.error()};
        });
        append_report(graph.nodes(), origin, out);
        out.flush();
    } catch (const Stopped& stopped) {
        return stopped.error;
    }
    Status written = file->commit();
    if (written) logging::info({path.native(), ": a report of ", graph.node_count(), " nodes"});
    return written;
}

}  // namespace tilemeter::report
