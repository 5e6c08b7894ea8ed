// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/contributor_groups.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace tilemeter::graph {
namespace {

using Alike = std::tuple<Share, ProgramMemoryKind, Memory, std::uint64_t, std::string_view, std::string_view,
                         bool, SizeOrigin>;

Alike alike(const Contributor& it) {
    return {it.share, it.kind, it.memory, it.bytes, it.shape, it.made_by, it.before_window, it.size_origin};
}

}  // namespace

std::vector<ContributorGroup> grouped_contributors(const std::vector<Contributor>& contributors) {
    std::vector<ContributorGroup> groups;
    std::map<Alike, std::size_t> group_of;
    for (std::uint32_t i = 0; i < contributors.size(); ++i) {
        const auto [found, is_new] = group_of.try_emplace(alike(contributors[i]), groups.size());
        if (is_new) groups.emplace_back();
        ContributorGroup& group = groups[found->second];
        group.members.push_back(i);
        group.bytes += contributors[i].bytes;
    }
    std::ranges::stable_sort(groups, std::ranges::greater{}, &ContributorGroup::bytes);
    return groups;
}

std::string title_of(const ContributorGroup& group, const std::vector<Contributor>& contributors) {
    const Contributor& first = contributors[group.members.front()];
    if (group.members.size() == 1) return first.shape.empty() ? first.name : first.name + "  " + first.shape;
    const bool is_program = first.share == Share::kProgram;
    return std::to_string(group.members.size()) + " x " +
           (is_program            ? first.name
            : first.shape.empty() ? "buffer of unknown shape"
                                  : first.shape);
}

}  // namespace tilemeter::graph
