// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/render/call_render.hpp"
#include "tools/tilemeter/input.hpp"
#include "tools/tilemeter/output.hpp"
#include "tools/tilemeter/terminal.hpp"
#include "tools/tilemeter/verbs.hpp"

namespace tilemeter::cli {
namespace {

struct TreeOptions {
    std::string report, programs_from;
    bool json = false;
};

// As call_tree() aligns them.
constexpr std::size_t kFigureColumns[] = {49, 31, 15};  // with time, L1 and what stays; time and L1; time
constexpr std::size_t kLeastOfName = 24;

/// Where a line of the tree has its figures; its size where it has none.
std::size_t begin_of_figures(const std::string& line) {
    const std::size_t unit = line.find(" ms  L1 ");
    if (unit == std::string::npos) return line.size();
    const std::size_t number = line.find_last_not_of("0123456789.", unit - 1);
    return line.find_last_not_of(' ', number) + 1;
}

/// The name of a function in `room` columns, with its mark where it has one: "Matmul… (aborted)".
std::string name_within(std::string_view name, std::size_t room) {
    for (const std::string_view mark : {" (aborted)", " (left open)"})
        if (name.ends_with(mark) && room > mark.size())
            return with_end_cut(name.substr(0, name.size() - mark.size()), room - mark.size()).append(mark);
    return with_end_cut(name, room);
}

/// The rows in `width` columns: names lose their ends, then the figures behind the time go.
std::string rows_within(std::size_t width, const std::string& tree) {
    if (width == SIZE_MAX) return tree;
    std::string text;
    std::istringstream lines(tree);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t begin = begin_of_figures(line);
        if (columns_of(line) <= width || begin == line.size()) {
            text += name_within(line, width) + '\n';
            continue;
        }
        const std::string name = line.substr(0, begin);
        std::vector<std::string> figures;
        std::istringstream words(line.substr(begin));
        for (std::string word; words >> word;)
            figures.push_back(word);
        std::string row;
        for (const std::size_t columns : kFigureColumns) {
            const std::size_t room = width > columns ? width - columns : 0;
            if (room < kLeastOfName && columns != kFigureColumns[2]) continue;
            row = name_within(name, std::max<std::size_t>(room, 1));
            row += std::string(room > columns_of(row) ? room - columns_of(row) : 0, ' ') + "  " +
                   right_aligned(figures.at(0), 10) + " ms";
            if (columns != kFigureColumns[2]) row += "  L1 " + right_aligned(figures.at(3), 9) + " B";
            if (columns == kFigureColumns[0]) row += "  " + figures.at(5) + " B";
            break;
        }
        text += with_end_cut(row, width) + '\n';
    }
    return text;
}

void run_tree(const TreeOptions& options) {
    const analysis::NodeList list = load_sound(options.report);
    const analysis::ProgramLibrary library = load_programs(options.programs_from);
    const analysis::MemoryLifetimes lifetimes = analysis::find_lifetimes(list, &library);
    if (!options.json) {
        say_what_is_unseen(list);
        return print_text(rows_within(line_width(), analysis::call_tree(list, lifetimes)));
    }
    print_answer("tree", analysis::judge(list, lifetimes), analysis::call_tree_json(list, lifetimes));
}

}  // namespace

command::Verb tree_verb() {
    auto options = std::make_shared<TreeOptions>();
    return {.name = "tree",
            .documentation = "Call hierarchy with durations, L1 peak per core and what stays",
            .parameters = {{"report", &options->report, "a report, or a node list", {.required = true}},
                           {"--programs-from", &options->programs_from,
                            "another capture of the workload that recorded its programs"},
                           {"--json", &options->json, "machine-readable"}},
            .example = "tilemeter tree report.json",
            .run = [options] { run_tree(*options); }};
}

}  // namespace tilemeter::cli
