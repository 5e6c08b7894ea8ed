// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/svg_graph.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/analysis/call_tree.hpp"
#include "report/analysis/levelized_graph.hpp"
#include "report/text.hpp"

namespace tilemeter::graph {
namespace {

constexpr std::size_t kLineHeight = 18;
constexpr std::size_t kTop = 44;
constexpr std::size_t kArcs = 160;  // width of the margin with the data flow
constexpr std::size_t kIndent = 16;
constexpr std::size_t kNames = 620;
constexpr std::size_t kBars = 150;  // each
constexpr std::size_t kWidth = kArcs + kNames + 2 * kBars + 60;

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : report::to_valid_utf8(text)) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return result;
}

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
    SvgWriter(const NodeList& list, const MemoryLives& lives, std::int32_t max_level)
        : list_(list),
          lives_(lives),
          max_level_(max_level > 0 ? max_level : default_level(lives)),
          calls_(call_nodes(list, lives)) {}

    std::string run(const std::string& title) {
        for (std::uint32_t scope = 0; scope < calls_.size(); ++scope)
            if (lives_.scopes.scopes[scope].depth <= static_cast<std::uint32_t>(std::max(max_level_, 1)))
                rows_.push_back(scope);
        for (const std::uint32_t scope : rows_) {
            longest_ = std::max(longest_, calls_[scope].duration_ns);
            fullest_ = std::max(fullest_, calls_[scope].l1_peak_bytes);
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
                escaped(title) + "</text>\n" + heading();
        for (std::size_t row = 0; row < rows_.size(); ++row)
            add_row(row);
        add_arcs();
        return std::move(text_ += "</svg>\n");
    }

private:
    static std::int32_t default_level(const MemoryLives& lives) {
        constexpr std::ptrdiff_t kReadable = 5000;
        const auto shown = std::count_if(lives.scopes.scopes.begin(), lives.scopes.scopes.end(),
                                         [](const Scope& scope) { return scope.depth <= 2; });
        return shown <= kReadable ? 2 : 1;
    }
    static std::size_t middle(std::size_t row) { return kTop + row * kLineHeight + kLineHeight / 2; }

    static std::string heading() {
        return "<text class=\"t\" x=\"12\" y=\"38\">data flow</text><text class=\"t\" x=\"" +
               number(kArcs + 8) + "\" y=\"38\">function, outputs</text><text class=\"t\" x=\"" +
               number(kArcs + kNames + 20) + "\" y=\"38\">duration</text><text class=\"t\" x=\"" +
               number(kArcs + kNames + kBars + 40) + "\" y=\"38\">L1 peak per core</text>\n";
    }

    std::string outputs_of(std::uint32_t scope) const {
        const std::uint32_t end = lives_.scopes.scopes[scope].end;
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

    void add_row(std::size_t row) {
        const CallNode& call = calls_[rows_[row]];
        const Scope& scope = lives_.scopes.scopes[rows_[row]];
        const std::size_t y = kTop + row * kLineHeight;
        const std::size_t x = kArcs + std::min<std::size_t>(scope.depth - 1, 20) * kIndent;
        const std::string name(list_.name(scope.start));
        const std::string shapes = outputs_of(rows_[row]);
        const char* colour = call.aborted || call.open ? "#ffd7d5" : scope.depth == 1 ? "#ddf4ff" : "#f6f8fa";
        text_ += "<g class=\"r\"><title>" + escaped(name) + "\nnode " + number(scope.start) + "\n" +
                 number(call.duration_ns) + " ns\nL1 peak per core " + number(call.l1_peak_bytes) + " B\n" +
                 escaped(shapes) + "</title><rect class=\"b\" x=\"" + number(x) + "\" y=\"" + number(y + 1) +
                 "\" width=\"" + number(kArcs + kNames - x) + "\" height=\"" + number(kLineHeight - 2) +
                 "\" rx=\"3\" fill=\"" + colour + "\"/><text x=\"" + number(x + 6) + "\" y=\"" +
                 number(y + 13) + "\">" + escaped(shortened(name, 56));
        if (call.aborted) text_ += " (aborted)";
        if (call.open) text_ += " (left open)";
        text_ += "<tspan class=\"t\"> " + escaped(shortened(shapes, 36)) + "</tspan></text>";
        add_bar(kArcs + kNames + 20, row, call.duration_ns, longest_, "#c8e1ff",
                microseconds(call.duration_ns));
        add_bar(kArcs + kNames + kBars + 40, row, call.l1_peak_bytes, fullest_, "#ffd8b5",
                number(call.l1_peak_bytes));
        text_ += "</g>\n";
    }

    static std::string microseconds(std::uint64_t ns) {
        return number(ns / 1000) + "." + number(ns % 1000 / 100) + " us";
    }

    // Of each edge the deepest shown function on either side: outer ones only pass the tensor on.
    void add_arcs() {
        std::unordered_map<std::uint32_t, std::size_t> row_of_node;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            row_of_node[lives_.scopes.scopes[rows_[row]].start] = row;
        const auto vertices = extract_levelized_graph(list_, max_level_, Joining::kByTensor);
        std::set<std::pair<std::size_t, std::size_t>> drawn;
        for (const LevelizedVertex& vertex : vertices) {
            const auto from = row_of_node.find(vertex.node);
            if (from == row_of_node.end()) continue;
            for (const std::uint32_t target : vertex.out_edges) {
                const auto to = row_of_node.find(vertices[target].node);
                if (to == row_of_node.end() || !drawn.insert({from->second, to->second}).second) continue;
                const std::size_t distance =
                    to->second > from->second ? to->second - from->second : from->second - to->second;
                const std::size_t reach = std::min<std::size_t>(kArcs - 16, 14 + distance * 3);
                text_ += "<path class=\"a\" d=\"M" + number(kArcs - 2) + " " + number(middle(from->second)) +
                         " C" + number(kArcs - reach) + " " + number(middle(from->second)) + " " +
                         number(kArcs - reach) + " " + number(middle(to->second)) + " " + number(kArcs - 2) +
                         " " + number(middle(to->second)) + "\"/>\n";
            }
        }
    }

    const NodeList& list_;
    const MemoryLives& lives_;
    const std::int32_t max_level_;
    const std::vector<CallNode> calls_;
    std::vector<std::uint32_t> rows_;  // scopes
    std::uint64_t longest_ = 0;
    std::uint64_t fullest_ = 0;
    std::string text_;
};

}  // namespace

std::string svg_graph(const NodeList& list, const MemoryLives& lives, std::int32_t max_level,
                      const std::string& title) {
    return SvgWriter(list, lives, max_level).run(title);
}

}  // namespace tilemeter::graph
