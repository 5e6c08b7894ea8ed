// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/svg_graph.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/memory/tensor_flow.hpp"
#include "report/markup.hpp"

namespace tilemeter::analysis {
namespace {

constexpr std::size_t kLineHeight = 18;
constexpr std::size_t kTop = 44;
constexpr std::size_t kArcs = 160;  // width of the margin with the data flow
constexpr std::size_t kIndent = 16;
constexpr std::size_t kNames = 620;
constexpr std::size_t kBars = 150;  // each
constexpr std::size_t kWidth = kArcs + kNames + 2 * kBars + 60;

std::string number(std::size_t value) {
    return std::to_string(value);
}

std::string shortened(std::string text, std::size_t columns) {
    if (text.size() <= columns) return text;
    std::size_t cut = columns - 3;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0U) == 0x80U)
        --cut;
    return text.substr(0, cut) + "...";
}

class SvgWriter {
public:
    SvgWriter(const NodeList& list, const MemoryLifetimes& lifetimes, std::int32_t max_level,
              std::size_t most_lines)
        : list_(list),
          lifetimes_(lifetimes),
          most_lines_(most_lines > 0 ? most_lines : std::numeric_limits<std::size_t>::max()),
          max_level_(max_level > 0 ? max_level : default_level(lifetimes, most_lines_)),
          calls_(call_nodes(list, lifetimes)) {}

    std::string run(const std::string& title) {
        fold();
        for (const Row& row : rows_) {
            longest_ = std::max(longest_, row.duration_ns);
            fullest_ = std::max(fullest_, row.l1_peak_bytes);
        }
        const std::size_t height = kTop + rows_.size() * kLineHeight + 20;
        text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(kWidth) + "\" height=\"" +
                number(height) + "\" viewBox=\"0 0 " + number(kWidth) + " " + number(height) +
                "\" font-family=\"ui-monospace,Menlo,Consolas,monospace\" font-size=\"12\">\n"
                "<style>.r:hover "
                "rect.b{fill:#fff3c4}.t{fill:#57606a}.a{fill:none;stroke:#7d8590;stroke-opacity:.55}"
                ".a:hover{stroke:#d1242f;stroke-width:2;stroke-opacity:1}</style>\n"
                "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"12\" y=\"20\" "
                "font-weight=\"bold\">" +
                report::markup_text(title + folding_) + "</text>\n" + heading();
        for (std::size_t row = 0; row < rows_.size(); ++row)
            add_row(row);
        add_arcs();
        return std::move(text_ += "</svg>\n");
    }

private:
    /// One function, or some that follow each other.
    struct Row {
        std::uint32_t first = 0;  // scope
        std::uint32_t count = 0;
        std::uint64_t duration_ns = 0;
        std::uint64_t l1_peak_bytes = 0;
        bool aborted = false, open = false;
        std::vector<std::pair<std::string_view, std::uint32_t>> names;  // of more than one, and how often
    };

    static std::int32_t default_level(const MemoryLifetimes& lifetimes, std::size_t most_lines) {
        const auto shown = std::count_if(lifetimes.scopes.scopes.begin(), lifetimes.scopes.scopes.end(),
                                         [](const Scope& scope) { return scope.depth <= 2; });
        return static_cast<std::size_t>(shown) <= most_lines ? 2 : 1;
    }

    // If functions are on different levels, the outer ones' times and peaks hold those of the inner ones.
    void fold() {
        std::vector<std::uint32_t> shown;
        for (std::uint32_t scope = 0; scope < calls_.size(); ++scope)
            if (lifetimes_.scopes.scopes[scope].depth <= static_cast<std::uint32_t>(std::max(max_level_, 1)))
                shown.push_back(scope);
        const std::size_t per_line = shown.empty() ? 1 : (shown.size() - 1) / most_lines_ + 1;
        row_of_.assign(calls_.size(), kNoIndex);
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const CallNode& call = calls_[shown[i]];
            const Scope& scope = lifetimes_.scopes.scopes[shown[i]];
            if (i % per_line == 0) rows_.push_back({.first = shown[i], .names = {}});
            Row& row = rows_.back();
            ++row.count;
            row_of_[shown[i]] = static_cast<std::uint32_t>(rows_.size() - 1);
            const bool is_inner = scope.parent != kNoIndex && row_of_[scope.parent] == rows_.size() - 1;
            if (!is_inner) row.duration_ns += call.duration_ns;
            row.l1_peak_bytes = std::max(row.l1_peak_bytes, call.l1_peak_bytes);
            row.aborted = row.aborted || call.aborted;
            row.open = row.open || call.open;
            if (per_line > 1) note_name(row, list_.name(scope.start));
        }
        if (per_line > 1)
            folding_ = "  (" + number(shown.size()) + " functions, " + number(per_line) + " a line)";
    }

    static void note_name(Row& row, std::string_view name) {
        const auto known = std::find_if(row.names.begin(), row.names.end(),
                                        [&](const auto& entry) { return entry.first == name; });
        if (known != row.names.end())
            ++known->second;
        else
            row.names.emplace_back(name, 1);
    }

    std::string text_of(const Row& row) const {
        if (row.count == 1) return std::string(list_.name(lifetimes_.scopes.scopes[row.first].start));
        auto often = row.names;
        std::stable_sort(often.begin(), often.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        std::string text = number(row.count) + ":";
        for (const auto& [name, count] : often) {
            text += " " + std::string(name);
            if (count > 1) text += " x" + number(count);
        }
        return text;
    }

    static std::size_t middle(std::size_t row) { return kTop + row * kLineHeight + kLineHeight / 2; }

    static std::string heading() {
        return "<text class=\"t\" x=\"12\" y=\"38\">data flow</text><text class=\"t\" x=\"" +
               number(kArcs + 8) + "\" y=\"38\">function, outputs</text><text class=\"t\" x=\"" +
               number(kArcs + kNames + 20) + "\" y=\"38\">duration</text><text class=\"t\" x=\"" +
               number(kArcs + kNames + kBars + 40) + "\" y=\"38\">L1 peak per core</text>\n";
    }

    std::string outputs_of(std::uint32_t scope) const {
        const std::uint32_t end = lifetimes_.scopes.scopes[scope].end;
        if (end == kNoIndex) return {};
        std::string shapes;
        for (const std::int64_t target : list_.connections(end)) {
            if (!list_.holds(target)) continue;
            const NodeList::Tensor* tensor = list_.tensor(static_cast<std::size_t>(target));
            if (tensor == nullptr || tensor->shape == TextRef::kNone) continue;
            shapes += (shapes.empty() ? "" : " ") + std::string(list_.text(tensor->shape));
        }
        return shapes;
    }

    void add_bar(std::size_t x, std::size_t row, std::uint64_t value, std::uint64_t most, const char* colour,
                 const std::string& label) {
        const std::size_t width = most == 0
                                      ? 0
                                      : static_cast<std::size_t>(static_cast<double>(value) /
                                                                 static_cast<double>(most) * (kBars - 10));
        const std::size_t y = kTop + row * kLineHeight;
        if (width > 0)
            text_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y + 4) + "\" width=\"" + number(width) +
                     "\" height=\"" + number(kLineHeight - 8) + "\" fill=\"" + colour + "\"/>";
        if (value != 0)
            text_ += "<text class=\"t\" font-size=\"10\" x=\"" + number(x + 2) + "\" y=\"" + number(y + 13) +
                     "\">" + label + "</text>";
    }

    void add_row(std::size_t index) {
        const Row& row = rows_[index];
        const Scope& scope = lifetimes_.scopes.scopes[row.first];
        const std::size_t y = kTop + index * kLineHeight;
        const std::size_t x = kArcs + std::min<std::size_t>(scope.depth - 1, 20) * kIndent;
        const std::string name = text_of(row);
        const std::string shapes = row.count == 1 ? outputs_of(row.first) : "";
        const char* colour = row.aborted || row.open ? "#ffd7d5" : scope.depth == 1 ? "#ddf4ff" : "#f6f8fa";
        text_ += "<g class=\"r\"><title>" + report::markup_text(name) + "\nnode " + number(scope.start) +
                 "\n" + number(row.duration_ns) + " ns\nL1 peak per core " + number(row.l1_peak_bytes) +
                 " B\n" + report::markup_text(shapes) + "</title><rect class=\"b\" x=\"" + number(x) +
                 "\" y=\"" + number(y + 1) + "\" width=\"" + number(kArcs + kNames - x) + "\" height=\"" +
                 number(kLineHeight - 2) + "\" rx=\"3\" fill=\"" + colour + "\"/><text x=\"" + number(x + 6) +
                 "\" y=\"" + number(y + 13) + "\">" +
                 report::markup_text(shortened(name, row.count == 1 ? 56 : 92));
        if (row.aborted) text_ += " (aborted)";
        if (row.open) text_ += " (left open)";
        if (row.count == 1)
            text_ += "<tspan class=\"t\" dx=\"8\">" + report::markup_text(shortened(shapes, 36)) + "</tspan>";
        text_ += "</text>";
        add_bar(kArcs + kNames + 20, index, row.duration_ns, longest_, "#c8e1ff",
                microseconds(row.duration_ns));
        add_bar(kArcs + kNames + kBars + 40, index, row.l1_peak_bytes, fullest_, "#ffd8b5",
                number(row.l1_peak_bytes));
        text_ += "</g>\n";
    }

    static std::string microseconds(std::uint64_t ns) {
        return number(ns / 1000) + "." + number(ns % 1000 / 100) + " us";
    }

    // Arcs between the deepest shown functions on either side of each tensor: outer ones only pass it on.
    void add_arcs() {
        const auto row_of = [this](std::uint32_t scope, std::uint32_t outermost) {
            for (; row_of_[scope] == kNoIndex; scope = lifetimes_.scopes.scopes[scope].parent)
                if (scope == outermost) return kNoIndex;
            return row_of_[scope];
        };
        std::unordered_set<std::uint64_t> drawn;
        for (const TensorUse& use : find_tensor_uses(list_, lifetimes_)) {
            if (use.producer == kNoIndex) continue;
            const FlowEnds ends = flow_ends(lifetimes_.scopes, use);
            const std::uint32_t from = row_of(use.producer, ends.from);
            const std::uint32_t to = row_of(use.consumer, ends.to);
            if (from == kNoIndex || to == kNoIndex || to == from) continue;
            if (!drawn.insert(std::uint64_t{from} << 32U | to).second) continue;
            const std::size_t distance = to > from ? to - from : from - to;
            const std::size_t reach = std::min<std::size_t>(kArcs - 16, 14 + distance * 3);
            text_ += "<path class=\"a\" d=\"M" + number(kArcs - 2) + " " + number(middle(from)) + " C" +
                     number(kArcs - reach) + " " + number(middle(from)) + " " + number(kArcs - reach) + " " +
                     number(middle(to)) + " " + number(kArcs - 2) + " " + number(middle(to)) + "\"/>\n";
        }
    }

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    const std::size_t most_lines_;
    const std::int32_t max_level_;
    const std::vector<CallNode> calls_;
    std::vector<Row> rows_;
    std::vector<std::uint32_t> row_of_;  // by scope
    std::string folding_;
    std::uint64_t longest_ = 0;
    std::uint64_t fullest_ = 0;
    std::string text_;
};

}  // namespace

std::string svg_graph(const NodeList& list, const MemoryLifetimes& lifetimes, std::int32_t max_level,
                      const std::string& title, std::size_t most_lines) {
    return SvgWriter(list, lifetimes, max_level, most_lines).run(title);
}

}  // namespace tilemeter::analysis
