// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <any>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/internal/known_answers.hpp"
#include "runtime/operations/core/internal/launch_parts.hpp"
#include "runtime/operations/core/internal/program_room.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/tensor_views.hpp"

namespace tilemeter::launching {

namespace {

// A program for so much free L1, as a query's thread keeps it.
KnownProgram planned_program(const Launch& launch, const Outputs& outputs, bool gives_outputs,
                             QueryShadow& query, std::uint64_t free_l1) {
    const DeviceOperation& operation = launch.operation;
    const TensorSpecs inputs = specs_of(launch.inputs), specs = specs_of(outputs.tensors());
    const KeyedCall keyed{inputs, specs, gives_outputs, launch.device->description()};
    const std::any before = query.config();
    query.note_config({});
    ProgramPlan plan = operation.plan(inputs, specs, keyed.device, free_l1);
    KnownProgram known{{free_l1, free_l1}, operation.program_key(keyed), nullptr, nullptr, query.config()};
    query.note_config(before);
    if (operation.keeps_programs_by_free_l1()) known.key += sizes_key(plan);
    CachedProgram program = built_program(plan, keyed.device);
    program.program_id = 1;
    known.program = std::make_shared<const CachedProgram>(std::move(program));
    if (!plan.config_tensors.empty() || plan.view_of_input)
        known.plan = std::make_shared<const ProgramPlan>(std::move(plan));
    return known;
}

// Like find_or_build(), where the plan is known.
Program find_or_keep(const Launch& launch, const KnownProgram& known, QueryShadow& query) {
    ProgramCache& cache = query.state().programs;
    if (cache.size() != 0)
        if (auto found = cache.find(known.key)) return {std::move(found), true};
    require(cache.may_miss(), "Device operation \"", launch.operation.name(),
            "\": program cache miss occurred, but cache misses are forbidden");
    std::shared_ptr<const CachedProgram> program = known.program;
    if (known.plan) {
        if (known.plan->view_of_input) reshape_view(launch.inputs[0], *known.plan->view_of_input);
        CachedProgram with_tables = *program;
        with_tables.tables = send_config_tensors(*known.plan, launch.device);
        program = std::make_shared<const CachedProgram>(std::move(with_tables));
    }
    // Where nothing is placed, TT-NN runs and keeps no program: its tables go with the call.
    const bool is_dropped = !program->tables.empty() && query.placing() == QueryShadow::Placing::kNowhere;
    const bool keeps = cache.is_on() && !is_dropped && has_room(*program, *launch.device);
    if (keeps) cache.keep(known.key, program);
    return {std::move(program), false, keeps};
}

}  // namespace

Program plan_for_query(Launch& launch, Outputs& outputs, QueryShadow& query) {
    KnownAnswers& answers = KnownAnswers::of(query);
    const bool gives_outputs = !launch.into.empty() && !launch.makes_into;
    KnownAnswer* answer = answers.find(launch.key);
    if (answer != nullptr) {
        make_or_use(launch, answer->outputs, outputs);
    } else {
        const TensorSpecs specs = validated_outputs(launch, specs_of(launch.inputs), outputs);
        KnownAnswer made;
        if (launch.into.empty()) {
            made.outputs = outputs.make(specs, launch.device);
        } else {
            require_fitting(launch.operation, launch.into, specs);
            outputs.use(std::move(launch.into));
        }
        answer = &answers.insert(launch.key, std::move(made));
    }
    const std::uint64_t free = free_l1_below_tensors(*launch.device);
    const KnownProgram* known = answer->program_for(free);
    if (known == nullptr) {
        KnownProgram planned = planned_program(launch, outputs, gives_outputs, query, free);
        if (!planned.plan && !launch.operation.keeps_programs_by_free_l1()) {
            planned.call = std::make_shared<const PlannedCall>(
                PlannedCall{planned.program, answer->outputs, record::TextId::kNone, record::TextId::kNone});
        }
        known = &answer->keep(std::move(planned));
    }
    if (known->config.has_value()) query.note_config(known->config);
    Program program = find_or_keep(launch, *known, query);
    if (!program.is_kept) return program;
    std::shared_ptr<const PlannedCall> call = known->call;
    if (!call || call->program != program.cached) {
        PlannedCall planned{program.cached, answer->outputs, record::TextId::kNone, record::TextId::kNone};
        if (launch.operation.keeps_programs_by_free_l1())
            call = std::make_shared<const CallByFreeL1>(CallByFreeL1{std::move(planned), {free, free}});
        else
            call = std::make_shared<const PlannedCall>(std::move(planned));
    }
    query.state().programs.insert_call(std::move(launch.key), std::move(call));
    return program;
}

}  // namespace tilemeter::launching
