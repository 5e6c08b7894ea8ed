// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/call.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "runtime/types/runtime_error.hpp"
#include "tools/compiled/values.hpp"

namespace tilemeter::compiled {
namespace {

using foreign::ValueId;
using foreign::mlir::Value;

/// An operation's operands without devices and tokens, by the places of a rule.
class Operands {
public:
    Operands(const foreign::CompiledProgram& program, const foreign::ProgramFunction& function,
             const foreign::ProgramOperation& operation) {
        is_segmented_ = !operation.segments.empty();
        if (!is_segmented_) {
            for (const ValueId value : program.tensors_among(function, operation.operands))
                groups_.push_back({value});
            return;
        }
        std::size_t at = 0;
        for (const std::uint32_t size : operation.segments) {
            const std::size_t end = std::min(at + size, operation.operands.size());
            const std::vector<ValueId> all(operation.operands.begin() + static_cast<std::ptrdiff_t>(at),
                                           operation.operands.begin() + static_cast<std::ptrdiff_t>(end));
            std::vector<ValueId> tensors = program.tensors_among(function, all);
            if (tensors.size() == all.size()) groups_.push_back(std::move(tensors));
            at = end;
        }
    }

    /// Until 2025 segments were all inputs, then the outputs, which the operation made for itself.
    void split_inputs_of_old_form(const CallRule& rule) {
        const bool is_old =
            is_segmented_ && std::ranges::any_of(rule.arguments, [this](const ArgumentRule& each) {
                return each.from == ArgumentRule::From::kOperand && each.place < groups_.size() &&
                       groups_[each.place].size() > 1;
            });
        if (!is_old) return;
        const std::vector<ValueId> inputs = groups_.front();
        groups_.clear();
        for (const ValueId input : inputs)
            groups_.push_back({input});
    }

    std::vector<ValueId> at(const ArgumentRule& rule) const {
        if (rule.place >= groups_.size()) return {};
        if (rule.from == ArgumentRule::From::kOperand || is_segmented_) return groups_[rule.place];
        std::vector<ValueId> all;
        for (std::size_t i = rule.place; i < groups_.size(); ++i)
            all.insert(all.end(), groups_[i].begin(), groups_[i].end());
        return all;
    }

private:
    std::vector<std::vector<ValueId>> groups_;
    bool is_segmented_ = false;
};

compat::Argument constant_of(std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    std::int64_t whole = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (error == std::errc() && end == text.data() + text.size()) return whole;
    return std::string(text);
}

compat::Argument of_result(std::string_view what, const foreign::TensorType& type) {
    if (what == "memory") {
        const auto memory = memory_of(type);
        return memory ? compat::Argument(*memory) : compat::Argument();
    }
    if (what == "dtype") {
        const auto dtype = dtype_of(type.element);
        if (!dtype)
            throw RuntimeError("element type: expected one that the model has, found " + type.element);
        return *dtype;
    }
    if (what == "shape") return type.shape;
    if (!type.layout) return {};
    return type.layout->is_tiled ? Layout::TILE : Layout::ROW_MAJOR;
}

bool is_given(const compat::Argument& argument) {
    return !std::holds_alternative<std::monostate>(argument);
}

compat::Argument pairs_of(const compat::Argument& numbers) {
    const auto* flat = std::get_if<std::vector<std::int64_t>>(&numbers);
    if (flat == nullptr || flat->size() % 2 != 0) throw RuntimeError("expected pairs of numbers");
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t i = 0; i < flat->size(); i += 2)
        pairs.emplace_back(static_cast<std::uint32_t>((*flat)[i]),
                           static_cast<std::uint32_t>((*flat)[i + 1]));
    return pairs;
}

// An attribute that says nothing: an empty list of functions, or of dimensions. The shape of a scalar is one.
bool says_nothing(const ArgumentRule& rule, const Value& value) {
    return value.kind == Value::Kind::kList && value.items.empty() && rule.parameter != "shape";
}

}  // namespace

FunctionCall call_of(const CallRule& rule, const foreign::CompiledProgram& program,
                     const foreign::ProgramFunction& function, const foreign::ProgramOperation& operation) {
    using From = ArgumentRule::From;
    FunctionCall call{.function = rule.function, .arguments = {}, .left_out = {}};
    Operands operands(program, function, operation);
    operands.split_inputs_of_old_form(rule);
    const Value attributes = operation.read_attributes();
    const foreign::TensorType* result =
        operation.results.empty() ? nullptr : &program.type_of(function, operation.results.front());
    std::set<std::string_view> known = {"operandSegmentSizes", "resultSegmentSizes", "operand_segment_sizes"};
    const auto add = [&](const ArgumentRule& each, CallValue value) {
        call.arguments.push_back({each.parameter, std::move(value)});
    };
    const auto add_attribute = [&](const ArgumentRule& each) {
        known.insert(each.source);
        const Value* value = attributes.find(each.source);
        if (value == nullptr || says_nothing(each, *value)) return;
        try {
            compat::Argument argument = argument_of(*value);
            add(each, each.from == From::kPairs ? pairs_of(argument) : std::move(argument));
        } catch (const RuntimeError& error) {
            throw RuntimeError(each.source + ": " + error.what());
        }
    };
    for (const ArgumentRule& each : rule.arguments) {
        switch (each.from) {
            case From::kNothing:
                known.insert(each.source);
                break;
            case From::kAttribute:
            case From::kPairs:
                add_attribute(each);
                break;
            case From::kConstant:
                add(each, constant_of(each.source));
                break;
            case From::kOperands:
                add(each, TensorValues{operands.at(each)});
                break;
            case From::kOperand:
                if (const auto values = operands.at(each); !values.empty())
                    add(each, TensorValue{values.front()});
                break;
            case From::kDevice:
                // On the host where the result lies there.
                if (result == nullptr || memory_of(*result)) add(each, TheDevice());
                break;
            case From::kResult:
                if (result == nullptr) break;
                if (compat::Argument argument = of_result(each.source, *result); is_given(argument))
                    add(each, std::move(argument));
                break;
        }
    }
    for (const foreign::mlir::Item& item : attributes.items)
        if (!item.key.empty() && !known.contains(item.key)) call.left_out.emplace_back(item.key);
    return call;
}

}  // namespace tilemeter::compiled
