// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/timeline.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <vector>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/memory/fragmentation.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/render/timeline_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct TimelineOptions {
    std::string report;
    std::int64_t device = -1;
    std::int64_t at = -1;
    std::size_t top = 20;
    bool csv = false, json = false, late = false, survivors = false, placement = false;
};

std::string operation_of(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                         std::uint32_t scope) {
    return scope == analysis::kNoIndex ? "" : std::string(list.name(lifetimes.scopes.scopes[scope].start));
}

std::uint16_t slot_of(const analysis::MemoryLifetimes& lifetimes, std::int64_t device) {
    if (device < 0) return 0;
    for (std::size_t slot = 0; slot < lifetimes.devices.size(); ++slot)
        if (lifetimes.devices[slot].id.value_or(-1) == device) return static_cast<std::uint16_t>(slot);
    throw Failure("--device: the report has no device " + std::to_string(device), kWrongUsage);
}

/// The line with a path at its end; on a terminal the path loses its begin where the line is too long.
/// more_columns: what else stands in that line.
std::string with_path(const std::string& line, const std::string& path, std::size_t more_columns) {
    constexpr std::size_t kLeastOfPath = 20;
    const std::size_t used = columns_of(line) + more_columns;
    const std::size_t width = line_width();
    return line + with_begin_cut(path, width > used + kLeastOfPath ? width - used : kLeastOfPath);
}

/// A text in quotes, those in it doubled.
std::string csv_text(std::string text) {
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '"');
    return '"' + text + '"';
}

std::string buffer_line(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                        std::uint32_t index, std::size_t indentation = 0) {
    const analysis::Contributor it = analysis::describe_buffer(list, lifetimes, index);
    std::string line = std::string(analysis::name_of(it.memory)) + " " + grouped(it.bytes) + " B  " +
                       it.name + "  " + it.shape;
    if (it.before_window) return line + "  (older than the capture)";
    return with_path(line + "  by ", it.made_by + (it.source_line.empty() ? "" : " at " + it.source_line),
                     indentation);
}

analysis::L1Region region_of(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                             const TimelineOptions& options) {
    const analysis::L1Region region =
        analysis::l1_region_of(list, lifetimes, slot_of(lifetimes, options.device));
    if (region.end == region.begin)
        throw Failure(options.report + ": its devices do not say how large L1 is");
    return region;
}

Json answer_json(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                 const TimelineOptions& options) {
    if (options.at >= 0) return analysis::live_json(list, lifetimes, static_cast<std::uint32_t>(options.at));
    if (options.late) return analysis::late_releases_json(list, lifetimes, options.top);
    if (options.survivors) return analysis::survivors_json(list, lifetimes);
    const std::uint16_t device = slot_of(lifetimes, options.device);
    if (options.placement)
        return analysis::placements_json(list, lifetimes, device, region_of(list, lifetimes, options));
    return analysis::timeline_json(list, lifetimes, device);
}

void print_csv(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
               const std::vector<analysis::TimelineRow>& rows) {
    std::ostringstream out;
    out << "row,node,current_op,event,total_cb,total_buffer,l1_per_core,dram_per_bank,l1_largest_free,"
           "source_line\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const analysis::TimelineRow& row = rows[i];
        out << i << ',' << row.node << ',' << csv_text(operation_of(list, lifetimes, row.scope)) << ','
            << row.event << ',' << row.total_cb << ',' << row.total_buffer << ',' << row.l1_per_core << ','
            << row.dram_per_bank << ',' << row.l1_largest_free << ','
            << csv_text(analysis::source_of(list, lifetimes.scopes, row.scope)) << '\n';
    }
    write_text("-", out.str());
}

/// The columns behind the name of the operation; the first of them tells the event.
struct Columns {
    struct Column {
        const char* title;
        std::size_t width;
        int rank;  // the highest go first where a terminal has no room
        bool shown = true;
    };
    std::array<Column, 6> all{{{"event", 34, 1},
                               {"total_cb", 12, 5},
                               {"total_buffer", 14, 4},
                               {"l1_per_core", 13, 0},
                               {"dram_per_bank", 15, 2},
                               {"l1_largest_free", 17, 3}}};
    std::size_t name;
    bool on_terminal;

    Columns(std::size_t longest_name, std::size_t longest_event, std::size_t line)
        : name(longest_name), on_terminal(line != SIZE_MAX) {
        if (width() > line) all.front().width = longest_event + 2;
        const std::size_t wanted = std::min(longest_name, kEnoughOfName);
        for (int rank = 5; rank > 0 && width() - name + wanted > line; --rank)
            for (Column& column : all)
                if (column.rank == rank) column.shown = false;
        const std::size_t others = width() - name;
        name = std::min(longest_name, line > others + kLeastOfName ? line - others : kLeastOfName);
    }
    /// Wide letters take two columns of a terminal; what comes out of a pipe is counted in letters.
    [[nodiscard]] static std::size_t size_of(std::string_view text, bool on_terminal) {
        const auto begins_letter = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; };
        return on_terminal ? columns_of(text)
                           : static_cast<std::size_t>(std::ranges::count_if(text, begins_letter));
    }
    [[nodiscard]] std::size_t width() const {
        std::size_t width = kIndex + name;
        for (const Column& column : all)
            width += column.shown ? column.width : 0;
        return width;
    }
    /// `texts`: of all columns.
    [[nodiscard]] std::string row(const std::string& index, std::string_view operation,
                                  const std::array<std::string, 6>& texts) const {
        const std::string shown = on_terminal ? with_begin_cut(operation, name) : std::string(operation);
        std::string line = index + std::string(kIndex - std::min(kIndex, index.size()), ' ') +
                           std::string(name - std::min(name, size_of(shown, on_terminal)), ' ') + shown;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].shown) line += right_aligned(texts[i], all[i].width);
        return line + '\n';
    }

    static constexpr std::size_t kIndex = 8, kLeastOfName = 10, kEnoughOfName = 20;
};

void print_rows(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                const TimelineOptions& options) {
    const auto rows = analysis::timeline(list, lifetimes, slot_of(lifetimes, options.device));
    if (options.csv) return print_csv(list, lifetimes, rows);
    const std::size_t line = line_width();
    std::size_t longest = Columns::kLeastOfName, longest_event = columns_of("event");
    for (const analysis::TimelineRow& row : rows) {
        longest =
            std::max(longest, Columns::size_of(operation_of(list, lifetimes, row.scope), line != SIZE_MAX));
        longest_event = std::max(longest_event, columns_of(row.event));
    }
    const Columns columns(longest, longest_event, line);
    std::array<std::string, 6> titles;
    std::ranges::transform(columns.all, titles.begin(), &Columns::Column::title);
    std::string text = columns.row("", "current_op", titles);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const analysis::TimelineRow& row = rows[i];
        text += columns.row(std::to_string(i), operation_of(list, lifetimes, row.scope),
                            {std::string(row.event), std::to_string(row.total_cb),
                             std::to_string(row.total_buffer), std::to_string(row.l1_per_core),
                             std::to_string(row.dram_per_bank), std::to_string(row.l1_largest_free)});
    }
    print_text(text);
}

void print_live(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                const TimelineOptions& options) {
    const auto live = analysis::live_at(lifetimes, static_cast<std::uint32_t>(options.at));
    for (const std::uint32_t index : live)
        std::cout << buffer_line(list, lifetimes, index) << '\n';
}

void print_late(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                const TimelineOptions& options) {
    const auto late = analysis::late_releases(list, lifetimes);
    std::size_t shown = 0;
    for (const analysis::LateRelease& it : late) {
        if (shown++ == options.top) break;
        const std::string user = operation_of(list, lifetimes, it.last_user);
        const std::string line = analysis::source_of(list, lifetimes.scopes, it.last_user);
        std::cout << grouped(it.cost) << " byte-operations: held " << it.operations_held
                  << " operations after " << user << (line.empty() ? "" : " (" + line + ")") << "\n    "
                  << buffer_line(list, lifetimes, it.buffer, 4) << '\n';
    }
    if (late.empty()) std::cout << "No buffer outlives its last use.\n";
    if (late.size() > options.top) std::cout << "... " << late.size() - options.top << " more\n";
}

void print_survivors(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes) {
    const auto groups = analysis::survivors(list, lifetimes);
    for (const analysis::Survivors& it : groups) {
        std::ostringstream behind;
        if (it.count > 1) behind << ", one every " << it.operations_between << " operations";
        if (it.lowest_address != 0) behind << ", lowest address " << it.lowest_address;
        const std::string line = std::to_string(it.count) + " x  " + grouped(it.bytes) + " B " +
                                 analysis::name_of(it.memory) + "  " + it.shape + "  by ";
        std::cout << with_path(line, it.made_by, behind.str().size()) << behind.str() << '\n';
    }
    if (groups.empty()) std::cout << "Nothing that the capture allocated is alive at its end.\n";
}

void print_placement(const analysis::NodeList& list, const analysis::MemoryLifetimes& lifetimes,
                     const TimelineOptions& options) {
    const std::uint16_t device = slot_of(lifetimes, options.device);
    const analysis::L1Region region = region_of(list, lifetimes, options);
    for (const auto placement : {analysis::Placement::kFirstFit, analysis::Placement::kBestFit}) {
        const analysis::PlacementAnswer it = analysis::replay_placement(lifetimes, device, region, placement);
        const char* name = placement == analysis::Placement::kFirstFit ? "first fit" : "best fit";
        std::cout << std::left << std::setw(11) << name << std::right
                  << (it.fits ? "all tensors fit"
                              : "does not fit: " + buffer_line(list, lifetimes, it.failing_buffer))
                  << "\n           lowest address " << grouped(it.lowest_address) << ", left to programs "
                  << grouped(it.lowest_address - region.begin) << " B\n           ";
        if (it.gain_of_moving_bytes == 0)
            std::cout << "free memory was always in one piece\n";
        else
            std::cout << "most scattered at node " << it.gain_node << ": largest hole "
                      << grouped(it.largest_hole_bytes) << " B, " << grouped(it.free_bytes)
                      << " B were all moved together (+" << grouped(it.gain_of_moving_bytes) << ")\n";
    }
}

void run_timeline(const TimelineOptions& options) {
    const analysis::NodeList list = load_sound(options.report);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list);
    if (options.at >= static_cast<std::int64_t>(list.size()))
        throw Failure(report::Error{options.report, "", "a node below " + std::to_string(list.size()),
                                    "--at " + std::to_string(options.at), true});
    if (options.json)
        return print_answer("timeline", analysis::judge(list, lifetimes),
                            answer_json(list, lifetimes, options));
    say_what_is_unseen(list);
    if (options.at >= 0) return print_live(list, lifetimes, options);
    if (options.late) return print_late(list, lifetimes, options);
    if (options.survivors) return print_survivors(list, lifetimes);
    if (options.placement) return print_placement(list, lifetimes, options);
    print_rows(list, lifetimes, options);
}

}  // namespace

command::Verb timeline_verb() {
    auto options = std::make_shared<TimelineOptions>();
    return {
        .name = "timeline",
        .documentation = "Memory event by event; what lives when, and what lives too long",
        .parameters =
            {{"report", &options->report, "a report, or a node list", {.required = true}},
             {"--device", &options->device, "id of the device (default: the first)", {.range = kAnyCount}},
             {"--at", &options->at, "the buffers that are alive after this node", {.range = kAnyCount}},
             {"--late", &options->late, "buffers released long after their last use"},
             {"--alive-at-end", &options->survivors,
              "what the capture allocated and did not release, grouped"},
             {"--placement", &options->placement,
              "the L1 tensors placed again, first fit and best fit: holes, and what moving would give"},
             {"--top", &options->top, "lines of --late", {.shows_default = true, .range = kAnyCount}},
             {"--csv", &options->csv, "comma-separated", {.excludes = {"--json"}}},
             {"--json", &options->json, "machine-readable"}},
        .alternatives = {"--at", "--late", "--alive-at-end", "--placement", "--csv"},
        .example = "tilemeter timeline report.json --late",
        .run = [options] { run_timeline(*options); }};
}

}  // namespace tilemeter::cli
