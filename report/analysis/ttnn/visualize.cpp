// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "report/analysis/ttnn/extract.hpp"
#include "report/analysis/ttnn/internal/refusals.hpp"
#include "report/analysis/ttnn/pretty_format.hpp"

namespace tilemeter::analysis {
namespace {

bool is_plain_id(std::string_view text) {
    if (text.empty()) return false;
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (std::isdigit(static_cast<unsigned char>(text.front())) != 0) return false;
    for (const char c : text)
        if (!is_word(c) && (c & 0x80) == 0) return false;
    for (const std::string_view keyword : {"node", "edge", "graph", "digraph", "subgraph", "strict"}) {
        if (text.size() != keyword.size()) continue;
        bool equal = true;
        for (std::size_t i = 0; i < text.size(); ++i)
            equal = equal && std::tolower(static_cast<unsigned char>(text[i])) == keyword[i];
        if (equal) return false;
    }
    return true;
}

bool is_number(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    std::size_t digits = 0;
    std::size_t points = 0;
    for (const char c : text) {
        if (c == '.')
            ++points;
        else if (std::isdigit(static_cast<unsigned char>(c)) != 0)
            ++digits;
        else
            return false;
    }
    return digits > 0 && points <= 1;
}

/// A DOT id as the graphviz package of Python writes it: quoted only where it has to be.
std::string dot_id(std::string_view text) {
    if (is_plain_id(text) || is_number(text)) return std::string(text);
    if (text.size() > 1 && text.front() == '<' && text.back() == '>') return std::string(text);
    std::string quoted = "\"";
    bool escaped = false;  // an odd number of backslashes came just before
    for (const char c : text) {
        if (c == '"' && !escaped) quoted += '\\';
        escaped = c == '\\' && !escaped;
        quoted += c;
    }
    return quoted + "\"";
}

std::string node_id(const NodeList& list, std::size_t node) {
    return "node_" + std::to_string(list.nodes[node].counter.value_or(static_cast<std::int64_t>(node)));
}

std::string node_label(const NodeList& list, std::size_t node) {
    std::string text(list.kind_name(node));
    switch (list.nodes[node].kind) {
        case NodeType::kFunctionStart:
        case NodeType::kFunctionEnd:
            return text + "\n" + std::string(list.name(node));
        case NodeType::kTensor:
            if (const auto* tensor = list.tensor(node)) {
                if (tensor->tensor_id_text != TextRef::kNone)
                    return text + "\n" + std::string(list.text(tensor->tensor_id_text));
                if (tensor->tensor_id.given())
                    return text + "\n" + std::to_string(tensor->tensor_id.value_or(0));
            }
            return text;
        default:
            return text;
    }
}

// Indexed by level modulo 6; the blanks are TT-NN's.
constexpr std::array<std::string_view, 6> kLevelColours{"#0000ff80", "#ee00ee80   ", "#ff000080",
                                                        "#eeee0080", "#00ff0080",    "#00eeee80"};

}  // namespace

std::string visualize(const NodeList& list) {
    std::string dot =
        "digraph {\n\tgraph [ordering=in rankdir=TB]\n"
        "\tnode [border=1 fontname=\"Linux libertine\" fontsize=10 height=0.2 margin=0 ranksep=0.1 shape=box "
        "style=filled]\n\tedge [fontsize=10]\n";
    std::size_t level = 0;
    std::size_t subgraphs = 0;
    std::string indent = "\t";
    for (std::size_t node = 0; node < list.size(); ++node) {
        const NodeType kind = list.nodes[node].kind;
        internal::refuse_node_as_ttnn(list, internal::TtnnAnalysis::kVisualize, node);
        if (kind == NodeType::kFunctionStart) {
            ++level;
            dot += indent + "subgraph subgraph_" + std::to_string(subgraphs++) + " {\n";
            indent += '\t';
            dot += indent + "node [style=filled]\n";
            dot += indent + "bgcolor=\"" + std::string(kLevelColours[level % kLevelColours.size()]) +
                   "\" cluster=true fontcolor=black label=" + dot_id(list.name(node)) +
                   " rankdir=TB shape=hexagon\n";
        }
        dot += indent + node_id(list, node) + " [label=" + dot_id(node_label(list, node)) +
               " fillcolor=\"#DCDCDC\"]\n";
        if (kind != NodeType::kFunctionEnd) continue;
        if (level == 0)
            throw AnalysisError(AnalysisError::Kind::kIndex,
                                "node " + std::to_string(node) + ": no open function");
        --level;
        indent.pop_back();
        dot += indent + "}\n";
    }
    if (level != 0) throw AnalysisError(AnalysisError::Kind::kValue, "Call stack not empty");
    internal::refuse_as_ttnn(list, internal::TtnnAnalysis::kVisualizeEdges);
    for (std::size_t node = 0; node < list.size(); ++node)
        for (const std::int64_t target : list.connections(node))
            dot += "\t" + node_id(list, node) + " -> " + dot_id("node_" + std::to_string(target)) + "\n";
    return dot + "}\n";
}

}  // namespace tilemeter::analysis
