// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/answers/contributor_groups.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace tilemeter::analysis {
namespace {

using Alike = std::tuple<Share, ProgramMemoryKind, MemoryType, std::uint64_t, std::string_view,
                         std::string_view, std::string_view, bool, SizeOrigin>;

Alike alike(const Contributor& it) {
    return {it.share,   it.kind,        it.memory,        it.bytes,      it.shape,
            it.made_by, it.source_line, it.before_window, it.size_origin};
}

template <typename KeyOf>
std::vector<ContributorGroup> grouped_by(const std::vector<Contributor>& contributors, const KeyOf& key_of) {
    std::vector<ContributorGroup> groups;
    std::map<decltype(key_of(contributors.front())), std::size_t> group_of;
    for (std::uint32_t i = 0; i < contributors.size(); ++i) {
        const auto [found, is_new] = group_of.try_emplace(key_of(contributors[i]), groups.size());
        if (is_new) groups.emplace_back();
        ContributorGroup& group = groups[found->second];
        group.members.push_back(i);
        group.bytes += contributors[i].bytes;
    }
    std::ranges::stable_sort(groups, std::ranges::greater{}, &ContributorGroup::bytes);
    return groups;
}

}  // namespace

std::vector<ContributorGroup> grouped_contributors(const std::vector<Contributor>& contributors, GroupBy by) {
    if (by == GroupBy::kAlike) return grouped_by(contributors, alike);
    // A tensor that is older than the capture has no maker in it: it is not to be mixed with one whose maker is not
    // recorded.
    return grouped_by(contributors, [by](const Contributor& it) {
        return std::pair(group_key(it, by), it.before_window && by != GroupBy::kShape);
    });
}

std::string group_key(const Contributor& contributor, GroupBy by) {
    switch (by) {
        case GroupBy::kAlike:
            return contributor.name;
        case GroupBy::kLine:
            return contributor.source_line;
        case GroupBy::kOperation:
            return contributor.made_by;
        case GroupBy::kShape:
            return contributor.share == Share::kProgram ? contributor.name : contributor.shape;
    }
    return {};
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

}  // namespace tilemeter::analysis
