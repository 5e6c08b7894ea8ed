// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/tilemeter/capture_head.hpp"

#include <cctype>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <system_error>

#include "report/analysis/answers/verdict.hpp"
#include "report/input.hpp"
#include "report/json_file.hpp"
#include "report/python_io.hpp"
#include "report/python_text.hpp"
#include "report/render/verdict_render.hpp"
#include "report/report_reader.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

namespace fs = std::filesystem;
using Metadata = std::map<std::string, std::string>;

/// The parts of a report that are not in its node list.
class HeadReader final : public report::ReportHandler {
public:
    report::Status on_version(const report::JsonValue& found) override {
        report::append_python_str(version, found);
        return {};
    }
    report::Status on_metadata(const report::JsonValue& found) override {
        for (auto member = found.children(); member.valid(); member.next())
            report::append_python_str(metadata[std::string(member.key())], member.value());
        return {};
    }
    report::Status on_node(const report::JsonNode& node) override {
        stacks_in_nodes = stacks_in_nodes || node.stack_trace.size() > 0;
        return {};
    }
    report::Status on_pages(std::int64_t /*address*/, std::int64_t /*alloc_counter*/,
                            std::span<const report::PageRecord> found, bool /*last*/) override {
        pages = pages || !found.empty();
        return {};
    }
    report::Status on_operation_buffers(std::int64_t /*start_counter*/,
                                        std::span<const report::LiveBufferRecord> /*buffers*/,
                                        bool /*last*/) override {
        snapshots = true;
        return {};
    }
    report::Status on_cluster_descriptor(std::string_view yaml) override {
        constexpr std::string_view kBoard = "board_type: ";
        for (std::size_t at = yaml.find(kBoard); at != std::string_view::npos; at = yaml.find(kBoard, at)) {
            at += kBoard.size();
            boards.emplace_back(yaml.substr(at, yaml.find('\n', at) - at));
        }
        return {};
    }
    report::Status on_comparison_records(const report::JsonValue& /*records*/) override {
        comparisons = true;
        return {};
    }
    report::Status on_embedded_python_io(std::uint64_t file_offset) override {
        python_io = file_offset;
        return {};
    }

    std::string version;
    Metadata metadata;
    std::vector<std::string> boards;
    std::optional<std::uint64_t> python_io;
    bool stacks_in_nodes = false, pages = false, snapshots = false, comparisons = false;
};

std::string value_of(const Metadata& metadata, const std::string& key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? "" : found->second;
}

std::optional<std::int64_t> integer_of(const Metadata& metadata, const std::string& key) {
    const std::string text = value_of(metadata, key);
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Our reports name us; of the others only TT-NN's have a version in their metadata.
void take_metadata(CaptureHead& head, const Metadata& metadata) {
    head.producer = value_of(metadata, "producer");
    const std::string version = value_of(metadata, "version");
    const std::string commit = value_of(metadata, "git_sha_short");
    if (head.producer.empty() && !version.empty())
        head.producer = "TT-NN " + version + (commit.empty() ? "" : " (" + commit + ")");
    head.mode = value_of(metadata, "run_mode");
    head.captured_ns = integer_of(metadata, "capture_timestamp_ns");
    head.duration_ns = integer_of(metadata, "total_duration_ns");
}

/// Programs run in NORMAL only. TT-NN gives buffers no addresses in NO_DISPATCH; whoever wrote a bare list
/// may have planned some.
void derive_mode(CaptureHead& head, const analysis::NodeList& list) {
    if (!head.mode.empty()) return;
    bool executions = false, allocations = false, addresses = false;
    for (std::size_t node = 0; node < list.size(); ++node) {
        const graph::NodeType kind = list.nodes[node].kind;
        executions = executions || kind == graph::NodeType::kProgramExecution;
        if (kind != graph::NodeType::kBufferAllocate) continue;
        allocations = true;
        const analysis::NodeList::Buffer* buffer = list.buffer(node);
        addresses = addresses || (buffer != nullptr && buffer->address.value_or(0) != 0);
    }
    if (executions) {
        head.mode = "NORMAL";
        head.mode_derived_from = "programs ran";
    } else if (allocations && !addresses) {
        head.mode = "NO_DISPATCH";
        head.mode_derived_from = "no buffer has an address";
    } else if (addresses && head.producer.starts_with("TT-NN")) {
        head.mode = "NORMAL";
        head.mode_derived_from = "buffers have addresses";
    }
}

void take_peaks(CaptureHead& head, const analysis::NodeList& list) {
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list);
    const analysis::PeakAnswer peaks = analysis::find_peak(list, lifetimes);
    head.judgement = analysis::judge(list, lifetimes);
    const bool is_part = head.judgement.find(analysis::Reason::Kind::kMemoryNotSeen) != nullptr ||
                         head.judgement.find(analysis::Reason::Kind::kEventsDropped) != nullptr;
    const auto of = [&](const analysis::MemoryPeak* peak, bool is_l1) -> std::optional<CaptureHead::Peak> {
        if (peak == nullptr) return CaptureHead::Peak{};
        CaptureHead::Peak told{peak->bytes, peak->limit_bytes.value_or(0), peak->path,
                               is_part || (is_l1 && peaks.unknown_program_count > 0)};
        for (const analysis::Contributor& it : peak->contributors)
            told.at_most = told.at_most || it.size_origin == analysis::SizeOrigin::kWhole;
        return told;
    };
    head.caveats = peaks.caveats;
    if (head.is_damaged) return;  // both peaks are unknown then
    head.l1 = of(peaks.l1(), true);
    head.dram = of(peaks.dram(), false);
}

void take_list(CaptureHead& head, const analysis::NodeList& list) {
    head.is_damaged = list.source.is_damaged();
    for (const analysis::ListedDevice& device : list.devices)
        head.devices.push_back({device.id, device.arch, device.grid_x, device.grid_y});
    head.operations = analysis::operation_count(list);
    head.nodes = list.size();
    derive_mode(head, list);
    take_peaks(head, list);
    if (head.duration_ns) return;
    for (std::size_t node = 0; node < list.size(); ++node) {
        if (list.nodes[node].kind != graph::NodeType::kCaptureEnd) continue;
        const analysis::NodeList::End* end = list.end(node);
        if (end != nullptr && end->duration_ns.given())
            head.duration_ns = static_cast<std::int64_t>(end->duration_ns.value_or(0));
    }
}

void take_recorded(CaptureHead& head, const HeadReader& reader) {
    const fs::path sidecar = report::find_sidecar(head.file, ".python_io.json");
    const bool beside = !sidecar.empty();
    CaptureHead::Recorded records{"Python records", reader.python_io || beside};
    CaptureHead::Recorded stacks{"stacks", reader.stacks_in_nodes};
    if (records.there) {
        auto input = report::Input::open(reader.python_io ? fs::path(head.file) : sidecar);
        if (!input) throw failure_of(input.error());
        auto io = report::PythonIo::open(*input, reader.python_io.value_or(0));
        if (!io) throw failure_of(io.error());
        records.detail = grouped(io.value().size());
        stacks.there = stacks.there || io.value().has_stack_traces();
    } else {
        std::error_code ignored;  // of a pipe none could be there
        if (fs::is_regular_file(head.file, ignored))
            records.detail = report::report_stem(head.file) + ".python_io.json";
    }
    const bool comparisons =
        reader.comparisons || !report::find_sidecar(head.file, ".comparison_records.json").empty();
    head.recorded = {records,
                     stacks,
                     {"pages", reader.pages},
                     {"buffers per operation", reader.snapshots},
                     {"comparison records", comparisons}};
}

std::string time_text(std::int64_t nanoseconds) {
    const std::time_t seconds = nanoseconds / 1'000'000'000;
    std::tm parts{};
    if (::gmtime_r(&seconds, &parts) == nullptr) return "";
    std::ostringstream text;
    text << std::put_time(&parts, "%Y-%m-%dT%H:%M:%SZ");
    return text.str();
}

std::string bytes_text(std::uint64_t bytes) {
    char text[32];
    constexpr double kKibi = 1024;
    if (bytes < 1024) return grouped(bytes) + " B";
    const auto value = static_cast<double>(bytes);
    if (bytes < 1024 * 1024) {
        std::snprintf(text, sizeof text, "%.1f KiB", value / kKibi);
    } else {
        std::snprintf(text, sizeof text, "%.2f MiB", value / kKibi / kKibi);
    }
    return text + (" (" + grouped(bytes) + " B)");
}

std::string peak_text(const std::optional<CaptureHead::Peak>& peak, const char* per, const char* capacity) {
    const std::string text = amount_text(peak, per, capacity);
    return !peak || peak->bytes == 0 || peak->operation.empty() ? text : text + ", in " + peak->operation;
}

std::string device_text(const CaptureHead& head) {
    std::string text;
    for (const std::string& board : head.boards)
        text += (text.empty() ? "" : ", ") + board;
    if (text.empty()) text = "board unknown";
    if (head.devices.empty()) return head.kind == "node list" ? "unknown" : text + "; no device was touched";
    for (const CaptureHead::Device& device : head.devices) {
        text += "; id " + std::to_string(device.id) + ": ";
        text += device.arch.empty() ? "architecture unknown" : device.arch;
        if (device.grid_x.given() && device.grid_y.given())
            text += ", " + std::to_string(device.grid_x.value_or(0)) + " x " +
                    std::to_string(device.grid_y.value_or(0)) + " compute cores";
    }
    return text;
}

std::string or_unknown(const std::string& text) {
    return text.empty() ? "unknown" : text;
}

/// The size of a file as it lies there; what came through a pipe has the size of its content.
std::uint64_t content_or_file_size(const std::string& path) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return fs::file_size(path, ignored);
    auto input = report::Input::open(path);
    return input ? input->expected_size() : 0;
}

void line(const char* what, const std::string& says) {
    std::cout << "  " << std::left << std::setw(18) << what << std::right << says << '\n';
}

/// "Python records" -> "python_records"
std::string member_of(std::string what) {
    for (char& c : what)
        c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return what;
}

}  // namespace

std::string amount_text(const std::optional<CaptureHead::Peak>& peak, const char* per, const char* capacity) {
    if (!peak) return "unknown";
    if (peak->bytes == 0) return peak->at_least ? "unknown: what it had is not recorded" : "none";
    std::string text;
    if (peak->at_least || peak->at_most)
        text = !peak->at_most ? "at least " : peak->at_least ? "about " : "at most ";
    text += bytes_text(peak->bytes) + " per " + per;
    if (peak->allocatable != 0) {
        char share[32];
        std::snprintf(share, sizeof share, ", %.1f %% of ",
                      100.0 * static_cast<double>(peak->bytes) / static_cast<double>(peak->allocatable));
        text += share + grouped(peak->allocatable) + " B" + capacity;
    }
    return text;
}

int badness_of(analysis::Verdict verdict) {
    switch (verdict) {
        case analysis::Verdict::kDoesNotFit:
            return 3;
        case analysis::Verdict::kFailed:
            return 2;
        case analysis::Verdict::kUnknown:
            return 1;
        case analysis::Verdict::kFits:
            return 0;
    }
    return 1;
}

CaptureHead head_of_file(const std::string& path) {
    HeadReader reader;
    const analysis::NodeList list = load(path, &reader);
    CaptureHead head;
    head.file = path;
    head.size_bytes = content_or_file_size(path);
    if (!list.source.is_report) {
        head.kind = "node list";
        take_list(head, list);
        return head;
    }
    head.kind = "report";
    if (!reader.version.empty()) head.format = "report version " + reader.version;
    head.boards = reader.boards;
    take_metadata(head, reader.metadata);
    take_list(head, list);
    take_recorded(head, reader);
    return head;
}

CaptureHead head_of_database(const std::string& path, const visualizer_import::ContentSummary& summary) {
    CaptureHead head;
    head.file = path;
    head.kind = "database";
    std::error_code ignored;
    head.size_bytes = fs::file_size(path, ignored);
    take_metadata(head, summary.metadata);
    const std::string schema = value_of(summary.metadata, "schema_version");
    if (!schema.empty()) head.format = "schema " + schema;
    for (const visualizer_import::ContentSummary::Device& device : summary.devices)
        head.devices.push_back(
            {device.id, "", analysis::Number(device.grid_x), analysis::Number(device.grid_y)});
    const auto count = [&](const char* key) -> std::optional<std::uint64_t> {
        const auto found = summary.counts.find(key);
        if (found == summary.counts.end()) return std::nullopt;
        return static_cast<std::uint64_t>(found->second);
    };
    head.operations = count("outermost_functions");
    head.nodes = count("nodes");
    if (head.mode.empty() && count("operation_executions").value_or(0) > 0) {
        head.mode = "NORMAL";
        head.mode_derived_from = "programs ran";
    } else if (head.mode.empty() && count("placed_buffers").value_or(0) > 0) {
        head.mode = "NO_DISPATCH";
        head.mode_derived_from = "buffers had no address";
    }
    analysis::Reason reason{};
    reason.kind = analysis::Reason::Kind::kNoGraph;
    reason.detail = "a database has no node list: a verdict needs the report that it was made from";
    head.judgement.reasons.push_back(std::move(reason));
    const std::uint64_t unknown_programs = count("executions_without_program_memory").value_or(0);
    // Those of the importer are of what was alive when operations ended.
    if (summary.peak_l1_bytes_per_core > 0)
        head.l1 = CaptureHead::Peak{static_cast<std::uint64_t>(summary.peak_l1_bytes_per_core),
                                    static_cast<std::uint64_t>(summary.l1_bank_bytes), summary.peak_operation,
                                    unknown_programs > 0};
    if (head.l1) {
        head.judgement.l1.peak_bytes = head.l1->bytes;
        head.judgement.l1.operation = head.l1->operation;
        if (head.l1->allocatable != 0) head.judgement.l1.limit_bytes = head.l1->allocatable;
    }
    if (summary.peak_dram_bytes_per_bank)
        head.dram = CaptureHead::Peak{static_cast<std::uint64_t>(*summary.peak_dram_bytes_per_bank), 0, "",
                                      *summary.peak_dram_bytes_per_bank > 0};
    if (head.dram) head.judgement.dram.peak_bytes = head.dram->bytes;
    head.judgement.l1.bound = head.judgement.dram.bound = analysis::Bound::kAtLeast;
    return head;
}

Json json_of(const CaptureHead& head) {
    const auto text = [](const std::string& it) { return it.empty() ? Json(nullptr) : Json(it); };
    const auto number = [](const auto& it) { return it ? Json(*it) : Json(nullptr); };
    // A database need not have a peak.
    const auto use = [](const auto& peak, const analysis::MemoryUse& it, const char* unit) {
        return peak ? analysis::use_json(it, unit) : Json(nullptr);
    };
    Json devices = Json::array();
    for (const CaptureHead::Device& device : head.devices)
        devices.push_back({{"device_id", device.id},
                           {"arch", text(device.arch)},
                           {"compute_cores_x", json_of(device.grid_x)},
                           {"compute_cores_y", json_of(device.grid_y)}});
    Json recorded = Json::object();
    for (const CaptureHead::Recorded& it : head.recorded)
        recorded[member_of(it.what)] = it.there;
    Json json{{"file", head.file}, {"kind", head.kind}};
    json.update(analysis::verdict_json(head.judgement));
    json.update(Json{{"l1", use(head.l1, head.judgement.l1, "per_core")},
                     {"dram", use(head.dram, head.judgement.dram, "per_bank")},
                     {"size_bytes", head.size_bytes},
                     {"format", text(head.format)},
                     {"producer", text(head.producer)},
                     {"boards", head.boards},
                     {"devices", std::move(devices)},
                     {"run_mode", text(head.mode)},
                     {"run_mode_derived_from", text(head.mode_derived_from)},
                     {"captured_at", head.captured_ns ? text(time_text(*head.captured_ns)) : Json(nullptr)},
                     {"duration_ns", number(head.duration_ns)},
                     {"operation_count", number(head.operations)},
                     {"node_count", number(head.nodes)},
                     {"recorded", std::move(recorded)},
                     {"caveats", head.caveats}});
    return json;
}

void print(const CaptureHead& head) {
    std::cout << head.file << "  " << head.kind << ", " << grouped(head.size_bytes) << " B\n";
    line("written by", or_unknown(head.producer) + (head.format.empty() ? "" : ", " + head.format));
    line("captured", or_unknown(head.captured_ns ? time_text(*head.captured_ns) : "") +
                         (head.duration_ns && *head.duration_ns >= 0
                              ? ", took " + duration_text(static_cast<std::uint64_t>(*head.duration_ns))
                              : ", duration unknown"));
    line("mode", or_unknown(head.mode) +
                     (head.mode_derived_from.empty() ? "" : " (derived: " + head.mode_derived_from + ")"));
    line("device", device_text(head));
    line("operations", (head.operations ? grouped(*head.operations) : "unknown") + " outermost, in " +
                           (head.nodes ? grouped(*head.nodes) : "unknown") + " nodes");
    line("peak of L1", peak_text(head.l1, "core", " that can be allocated"));
    line("peak of DRAM", peak_text(head.dram, "bank", " that can be allocated"));
    std::string there, missing;
    for (const CaptureHead::Recorded& it : head.recorded) {
        std::string& list = it.there ? there : missing;
        list += (list.empty() ? "" : ", ") + std::string(it.what);
        if (!it.detail.empty()) list += " (" + it.detail + ")";
    }
    if (!there.empty()) line("recorded", there);
    if (!missing.empty()) line("not recorded", missing);
    for (const analysis::Reason& it : head.judgement.reasons)
        if (it.kind == analysis::Reason::Kind::kNumbersDamaged ||
            it.kind == analysis::Reason::Kind::kUnknownVersion)
            line("verdict", "unknown: " + analysis::text_of(it));
    for (const std::string& caveat : head.caveats)
        line("note", caveat);
}

}  // namespace tilemeter::cli
