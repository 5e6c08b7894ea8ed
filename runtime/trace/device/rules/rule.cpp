// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/rules/rule.hpp"

#include <utility>

namespace tilemeter::trace::rules {

const std::map<std::string, Rule, std::less<>>& all_rules() {
    static const auto kRules = [] {
        std::map<std::string, Rule, std::less<>> all;
        for (const auto family :
             {eltwise_unary_rules, eltwise_binary_rules, eltwise_backward_rules, eltwise_special_rules,
              creation_rules, data_movement_rules, selection_rules, matmul_rules, reduction_rules,
              normalization_rules, transformer_rules, transformer_cache_rules, transformer_decoding_rules,
              sliding_window_rules, sliding_window_sampling_rules, training_rules, without_rules})
            for (Rule& each : family())
                all.emplace(each.name, std::move(each));
        return all;
    }();
    return kRules;
}

const Rule* find_rule(std::string_view operation) {
    constexpr std::string_view kPrefix = "ttnn.";
    if (!operation.starts_with(kPrefix)) return nullptr;
    const auto found = all_rules().find(operation.substr(kPrefix.size()));
    return found == all_rules().end() ? nullptr : &found->second;
}

}  // namespace tilemeter::trace::rules
