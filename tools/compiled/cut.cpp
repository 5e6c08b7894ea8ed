// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/cut.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "runtime/types/runtime_error.hpp"
#include "tools/compiled/functions.hpp"

namespace tilemeter::compiled {
namespace {

using foreign::CompiledProgram;
using foreign::ProgramFunction;
using foreign::ProgramOperation;
using foreign::ValueId;

// Plans that are made at most: what is left after them is small, if not the smallest.
constexpr std::size_t kMostPlans = 2000;

// A message without its numbers, which change with what else is in memory.
std::string without_numbers(const std::string& text) {
    std::string words;
    for (const char c : text)
        if (std::isdigit(static_cast<unsigned char>(c)) == 0) words += c;
    return words;
}

class Cutter {
public:
    Cutter(const CompiledProgram& program, const Plan& failed, const PlanOptions& options)
        : program_(program),
          options_(options),
          operation_(failed.refused_operation),
          place_(failed.refused_place),
          message_(without_numbers(failed.refusal)) {}

    CutProgram run(const ProgramFunction& function, std::size_t failing) {
        function_ = &function;
        failing_ = failing;
        std::vector<bool> kept(function.operations.size(), false);
        std::vector<ValueId> held;
        kept[failing] = true;
        if (!fails(kept, held)) {
            // Memory decides, too: with all that is alive there held as arguments, or with all that came before.
            held = alive_before(failing);
            if (fails(kept, held)) {
                reduce(held, [&](const std::vector<ValueId>& some) { return fails(kept, some); });
            } else {
                held.clear();
                std::vector<std::size_t> before(failing);
                for (std::size_t i = 0; i < failing; ++i)
                    before[i] = i;
                const auto with = [&](const std::vector<std::size_t>& some) {
                    std::vector<bool> these(function.operations.size(), false);
                    these[failing] = true;
                    for (const std::size_t each : some)
                        these[each] = true;
                    return these;
                };
                if (!fails(with(before), held)) held = function.arguments;
                if (!fails(with(before), held))
                    throw RuntimeError("cut: the program up to its failure does not fail by itself");
                reduce(before, [&](const std::vector<std::size_t>& some) { return fails(with(some), held); });
                kept = with(before);
                reduce(held, [&](const std::vector<ValueId>& some) { return fails(kept, some); });
            }
        }
        CutProgram made{made_of(kept, held), function.name, {}, function.operations.size(), 0, plan_count_};
        made.kept_count = made.program.find(function.name)->operations.size();
        return made;
    }

private:
    // Values that are made and not freed before an operation, arguments among them.
    std::vector<ValueId> alive_before(std::size_t end) const {
        std::vector<ValueId> alive = program_.tensors_among(*function_, function_->arguments);
        for (std::size_t i = 0; i < end; ++i) {
            const ProgramOperation& operation = function_->operations[i];
            if (operation.name == "ttnn.deallocate") {
                for (const ValueId operand : operation.operands)
                    if (std::ranges::find(function_->arguments, operand) == function_->arguments.end())
                        std::erase(alive, operand);
            } else {
                const auto made = program_.tensors_among(*function_, operation.results);
                alive.insert(alive.end(), made.begin(), made.end());
            }
        }
        return alive;
    }

    // The function of the kept operations. Its arguments are the held values and what the operations need of others.
    CompiledProgram made_of(const std::vector<bool>& kept, const std::vector<ValueId>& held) const {
        CompiledProgram made = program_;
        const auto at = std::ranges::find(made.functions, function_->name, &ProgramFunction::name);
        ProgramFunction& function = *at;
        function.operations.clear();
        function.arguments.clear();
        function.argument_kinds.clear();
        function.results.clear();
        function.is_private = false;
        function.kind.clear();
        std::set<ValueId> made_here, needed(held.begin(), held.end());
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const ProgramOperation& operation = function_->operations[i];
            if (!kept[i]) continue;
            if (operation.name == "ttnn.deallocate") {
                if (!std::ranges::all_of(operation.operands,
                                         [&](ValueId each) { return made_here.contains(each); }))
                    continue;  // the caller's to free
            } else {
                for (const ValueId operand : program_.tensors_among(*function_, operation.operands))
                    if (!made_here.contains(operand)) needed.insert(operand);
            }
            made_here.insert(operation.results.begin(), operation.results.end());
            function.operations.push_back(operation);
        }
        for (const ValueId value : needed) {
            function.arguments.push_back(value);
            const auto before = std::ranges::find(function_->arguments, value);
            const auto index = static_cast<std::size_t>(before - function_->arguments.begin());
            function.argument_kinds.push_back(
                index < function_->argument_kinds.size() ? function_->argument_kinds[index] : std::string());
            if (function.values[value].name.empty()) function.values[value].name = name_of(value);
        }
        const auto results = program_.tensors_among(*function_, function_->operations[failing_].results);
        function.results = results;
        return made;
    }

    // The location's name of the operation that makes a value.
    std::string name_of(ValueId value) const {
        for (const ProgramOperation& operation : function_->operations)
            if (std::ranges::find(operation.results, value) != operation.results.end())
                return program_.places[operation.place].name;
        return {};
    }

    bool fails(const std::vector<bool>& kept, const std::vector<ValueId>& held) {
        if (plan_count_ >= kMostPlans) return false;
        ++plan_count_;
        PlanOptions options = options_;
        options.function = function_->name;
        try {
            const Plan planned = plan(made_of(kept, held), options);
            return planned.refused_operation == operation_ && planned.refused_place == place_ &&
                   without_numbers(planned.refusal) == message_;
        } catch (const RuntimeError&) {
            return false;
        }
    }

    // Takes parts out while the rest still fails: halves first, single ones last.
    template <typename T, typename Fails>
    void reduce(std::vector<T>& items, const Fails& still_fails) {
        for (std::size_t size = std::max<std::size_t>(items.size() / 2, 1); !items.empty();) {
            bool is_smaller = false;
            // From the end: what stands last is near the failure and often needs what stands before.
            for (std::size_t end = items.size(); end > 0;) {
                const std::size_t begin = end > size ? end - size : 0;
                std::vector<T> rest(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begin));
                rest.insert(rest.end(), items.begin() + static_cast<std::ptrdiff_t>(end), items.end());
                if (still_fails(rest)) {
                    items = std::move(rest);
                    is_smaller = true;
                }
                end = begin;
            }
            if (size == 1 && !is_smaller) break;
            size = std::max<std::size_t>(size / 2, 1);
        }
    }

    const CompiledProgram& program_;
    PlanOptions options_;
    std::string operation_, place_, message_;
    const ProgramFunction* function_ = nullptr;
    std::size_t failing_ = 0, plan_count_ = 0;
};

std::string text_of(const Plan& failed) {
    return failed.refused_operation + (failed.refused_place.empty() ? "" : " at " + failed.refused_place) +
           ": " + failed.refusal;
}

}  // namespace

CutProgram cut(const CompiledProgram& program, const std::string& failure, const PlanOptions& options) {
    const Plan failed = plan(program, options);
    if (failed.refusal.empty())
        throw RuntimeError("cut: expected a program that is refused, found one that is planned to its end");
    const std::string text = text_of(failed);
    if (text.find(failure) == std::string::npos)
        throw RuntimeError("cut: expected a failure with '" + failure + "', found " + text);
    for (const ProgramFunction& function : program.functions)
        for (std::size_t i = 0; i < function.operations.size(); ++i)
            if (&function.operations[i] == failed.failing) {
                CutProgram made = Cutter(program, failed, options).run(function, i);
                made.failure = text;
                return made;
            }
    throw RuntimeError("cut: expected an operation that fails, found none");
}

}  // namespace tilemeter::compiled
