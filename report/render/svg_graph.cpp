// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/svg_graph.hpp"

#include <algorithm>
#include <limits>

#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/drawing/diagram.hpp"
#include "report/render/internal/call_diagram.hpp"

namespace tilemeter::analysis {
namespace {

using drawing::Diagram;

constexpr std::size_t kFewBoxes = 24;  // up to which the second level is shown as well

std::string use_text(const MemoryUse& use, const char* memory, const char* per) {
    std::string text =
        std::string(memory) + " peak " + prefix_of(use.bound) + both_sizes_text(use.peak_bytes) + per;
    if (use.limit_bytes)
        text += ", " + percent_text(use.peak_bytes, *use.limit_bytes) + " of the " +
                short_bytes_text(*use.limit_bytes) + " that can be allocated";
    if (!use.operation.empty()) text += ", in " + use.operation;
    return text;
}

drawing::Heading heading_of(const Judgement& judgement, const internal::CallDiagram& drawn,
                            const std::string& title) {
    drawing::Heading heading;
    heading.title = title;
    const bool is_bad = judgement.verdict == Verdict::kDoesNotFit || judgement.verdict == Verdict::kFailed;
    std::string verdict = words_of(judgement.verdict);
    if (!judgement.device.empty()) verdict += ": " + judgement.device;
    if (!judgement.reasons.empty()) verdict += ", because " + text_of(judgement.reasons.front());
    if (is_bad)
        heading.failure = verdict;
    else
        heading.lines.push_back(verdict);
    const bool has_l1 = judgement.l1.peak_bytes > 0, has_dram = judgement.dram.peak_bytes > 0;
    if (has_l1) heading.lines.push_back(use_text(judgement.l1, "L1", " per core"));
    if (has_dram) heading.lines.push_back(use_text(judgement.dram, "DRAM", " per bank"));
    std::string counts =
        grouped(drawn.function_count) + " functions in " + grouped(drawn.diagram.box_count()) + " boxes";
    if (drawn.folding.folded > 0)
        counts += "; " + grouped(drawn.folding.folded) + " stand behind others that are alike or too many";
    if (drawn.folding.per_box > 1) counts += ", up to " + grouped(drawn.folding.per_box) + " in one box";
    if (drawn.left_out > 0) counts += "; " + grouped(drawn.left_out) + " deallocations are not drawn";
    heading.lines.push_back(std::move(counts));
    heading.full = judgement.l1.limit_bytes.value_or(judgement.l1.peak_bytes);
    if (has_l1) heading.full = std::max(heading.full, judgement.l1.peak_bytes);
    if (drawn.diagram.has(Diagram::Kind::kData))
        heading.legend_of_data = "a tensor that no function of the capture made";
    if (has_l1 || has_dram) heading.legend_of_peak = "the function with the peak";
    if (has_l1)
        heading.legend_of_bar =
            "L1 per core at its highest while the function ran, of " + short_bytes_text(heading.full);
    return heading;
}

}  // namespace

std::string svg_graph(const NodeList& list, const MemoryLifetimes& lifetimes, std::int32_t max_level,
                      const std::string& title, std::size_t most_boxes) {
    const Judgement judgement = judge(list, lifetimes);
    const internal::DrawnCapture capture(list, lifetimes);
    const std::size_t most = most_boxes > 0 ? most_boxes : std::numeric_limits<std::size_t>::max();
    internal::CallDiagram drawn;
    if (max_level <= 0) drawn = internal::call_diagram(capture, 2, most);
    if (max_level > 0 || drawn.diagram.box_count() > kFewBoxes)
        drawn = internal::call_diagram(capture, static_cast<std::uint32_t>(std::max(max_level, 1)), most);
    return drawing::svg_of(drawn.diagram, heading_of(judgement, drawn, title));
}

}  // namespace tilemeter::analysis
