// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/core/internal/known_answers.hpp"

#include <memory>
#include <utility>

namespace tilemeter {

const KnownProgram& KnownAnswer::keep(KnownProgram program) {
    for (KnownProgram& each : programs) {
        if (each.key != program.key || each.program->memory != program.program->memory) continue;
        each.free_l1.take_in(program.free_l1.least);
        return each;
    }
    programs.push_back(std::move(program));
    return programs.back();
}

KnownAnswers& KnownAnswers::of(QueryShadow& query) {
    if (!query.kept()) query.kept() = std::make_shared<KnownAnswers>();
    return *static_cast<KnownAnswers*>(query.kept().get());
}

KnownAnswer& KnownAnswers::insert(const std::string& call_key, KnownAnswer answer) {
    if (answers_.size() >= kMost) answers_.clear();
    return answers_.insert_or_assign(call_key, std::move(answer)).first->second;
}

}  // namespace tilemeter
