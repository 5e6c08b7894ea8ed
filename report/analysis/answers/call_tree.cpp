// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/call_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "report/analysis/memory/failures.hpp"
#include "report/analysis/memory/occupancy.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/analysis/nodes/units.hpp"

namespace tilemeter::analysis {
namespace {

struct Shape {
    std::vector<bool> is_last;          // among the functions of its parent
    std::vector<std::uint32_t> height;  // of the hierarchy below
};

Shape shape_of(const Scopes& scopes) {
    Shape shape;
    shape.is_last.assign(scopes.scopes.size(), false);
    shape.height.assign(scopes.scopes.size(), 0);
    std::vector<bool> parent_has_later(scopes.scopes.size(), false);
    for (auto scope = scopes.scopes.size(); scope-- > 0;) {
        const std::uint32_t parent = scopes.scopes[scope].parent;
        if (parent == kNoIndex) continue;
        shape.is_last[scope] = !parent_has_later[parent];
        parent_has_later[parent] = true;
        shape.height[parent] = std::max(shape.height[parent], shape.height[scope] + 1);
    }
    return shape;
}

// The column stays open beside a hierarchy of more than two levels, as in TT-NN's documents: the eye finds
// the level of what follows again.
bool closes_column(const Shape& shape, std::uint32_t scope) {
    return shape.is_last[scope] && shape.height[scope] <= 1;
}

std::string figures(const CallNode& call) {
    const auto change = static_cast<std::uint64_t>(std::abs(call.l1_change_bytes));
    std::array<char, 128> text{};
    std::snprintf(text.data(), text.size(), "  %10.3f ms  L1 %11s B  %s%s B",
                  static_cast<double>(call.duration_ns) / 1e6, grouped(call.l1_peak_bytes).c_str(),
                  call.l1_change_bytes < 0 ? "-" : "+", grouped(change).c_str());
    return text.data();
}

std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::vector<CallNode> call_nodes(const NodeList& list, const MemoryLifetimes& lifetimes) {
    const Scopes& scopes = lifetimes.scopes;
    std::vector<CallNode> calls(scopes.scopes.size());
    Occupancy occupancy(lifetimes);
    std::size_t next = 0;
    std::uint64_t l1_tensors = 0;
    std::uint64_t l1 = 0;
    std::uint64_t dram = 0;
    const auto look = [&] {
        l1 = dram = l1_tensors = 0;
        for (std::uint16_t device = 0; device < lifetimes.devices.size(); ++device) {
            const Occupancy::Tensors& tensors = occupancy.tensors(device);
            l1 = std::max(l1, occupancy.l1_peak_bytes(device));
            l1_tensors = std::max(l1_tensors, tensors.l1_bytes + tensors.l1_small_bytes);
            dram = std::max(dram, tensors.dram_bytes);
        }
    };
    const std::vector<bool> left_by_printing = find_left_by_printing(list, scopes);
    for (std::uint32_t node = 0; node < list.size(); ++node) {
        const std::uint32_t scope = scopes.of_node[node];
        if (scope != kNoIndex && scopes.scopes[scope].start == node) {
            calls[scope] = {.scope = scope,
                            .duration_ns = scopes.duration_ns(list, scope),
                            .l1_peak_bytes = l1,
                            .dram_peak_bytes = dram,
                            .l1_change_bytes = -static_cast<std::int64_t>(l1_tensors),
                            .dram_change_bytes = -static_cast<std::int64_t>(dram)};
            calls[scope].open = scopes.scopes[scope].end == kNoIndex;
            if (!calls[scope].open)
                calls[scope].aborted =
                    list.end(scopes.scopes[scope].end)->aborted && !left_by_printing[scope];
        }
        // A program ends at its function's end: the function still had it.
        for (; next < lifetimes.events.size() && lifetimes.events[next].node <= node; ++next) {
            occupancy.apply(lifetimes.events[next]);
            look();
            if (scope == kNoIndex) continue;
            calls[scope].l1_peak_bytes = std::max(calls[scope].l1_peak_bytes, l1);
            calls[scope].dram_peak_bytes = std::max(calls[scope].dram_peak_bytes, dram);
        }
        if (scope == kNoIndex || scopes.scopes[scope].end != node) continue;
        calls[scope].l1_change_bytes += static_cast<std::int64_t>(l1_tensors);
        calls[scope].dram_change_bytes += static_cast<std::int64_t>(dram);
    }
    for (auto scope = calls.size(); scope-- > 0;) {
        if (calls[scope].open) {
            calls[scope].l1_change_bytes += static_cast<std::int64_t>(l1_tensors);
            calls[scope].dram_change_bytes += static_cast<std::int64_t>(dram);
        }
        const std::uint32_t parent = scopes.scopes[scope].parent;
        if (parent == kNoIndex) continue;
        calls[parent].l1_peak_bytes = std::max(calls[parent].l1_peak_bytes, calls[scope].l1_peak_bytes);
        calls[parent].dram_peak_bytes = std::max(calls[parent].dram_peak_bytes, calls[scope].dram_peak_bytes);
    }
    return calls;
}

std::string call_tree(const NodeList& list, const MemoryLifetimes& lifetimes) {
    constexpr std::size_t kFigureColumn = 64;
    constexpr std::size_t kDeepest = 200;  // deeper levels are drawn at this one
    const Scopes& scopes = lifetimes.scopes;
    const Shape shape = shape_of(scopes);
    const std::vector<CallNode> calls = call_nodes(list, lifetimes);
    const bool with_figures = std::any_of(list.ends.begin(), list.ends.end(),
                                          [](const auto& end) { return end.duration_ns.given(); });
    std::string text;
    std::vector<std::string> prefix{""};  // by depth: what stands before the children of that level
    for (std::uint32_t scope = 0; scope < scopes.scopes.size(); ++scope) {
        const std::size_t depth = std::min<std::size_t>(scopes.scopes[scope].depth, kDeepest);
        prefix.resize(depth + 1);
        std::string line = prefix[depth - 1];
        const bool closes = closes_column(shape, scope);
        if (depth > 1) line += closes ? "└── " : "├── ";
        prefix[depth] = depth > 1 ? prefix[depth - 1] + (closes ? "    " : "│   ") : "";
        std::string name(list.name(scopes.scopes[scope].start));
        std::replace(name.begin(), name.end(), '\n', ' ');
        line += name;
        if (calls[scope].aborted) line += " (aborted)";
        if (calls[scope].open) line += " (left open)";
        if (with_figures) {
            const std::size_t width = columns(line);
            if (width < kFigureColumn) line.append(kFigureColumn - width, ' ');
            line += figures(calls[scope]);
        }
        // A function in an operation comes from the same line.
        const std::string source = source_of(list, scopes, scope);
        if (!source.empty() && source != source_of(list, scopes, scopes.scopes[scope].parent))
            line += "  " + source;
        text += line + '\n';
    }
    return text;
}

}  // namespace tilemeter::analysis
