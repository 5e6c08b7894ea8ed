// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/call.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "runtime/types/runtime_error.hpp"
#include "tools/compiled/values.hpp"

namespace tilemeter::compiled {
namespace {

using foreign::ValueId;
using foreign::mlir::Value;

// "1=weight", "1*=tensors".
struct OperandWord {
    std::size_t place = 0;
    bool is_list = false;
    std::string_view parameter;
};

std::optional<OperandWord> operand_in(std::string_view word) {
    OperandWord found;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), found.place);
    if (error != std::errc()) return std::nullopt;
    std::string_view rest = word.substr(static_cast<std::size_t>(end - word.data()));
    if (rest.starts_with('*')) {
        found.is_list = true;
        rest.remove_prefix(1);
    }
    found.parameter = rest.substr(1);
    return found;
}

/// An operation's operands without devices and tokens, by the places of a rule.
class Operands {
public:
    Operands(const foreign::CompiledProgram& program, const foreign::ProgramFunction& function,
             const foreign::ProgramOperation& operation) {
        const auto is_tensor = [&](ValueId value) {
            return value != foreign::kNoValue && program.types[function.values[value].type].is_tensor;
        };
        if (operation.segments.empty()) {
            for (const ValueId value : operation.operands)
                if (is_tensor(value)) groups_.push_back({value});
            return;
        }
        is_segmented_ = true;
        std::size_t at = 0;
        for (const std::uint32_t size : operation.segments) {
            std::vector<ValueId> group;
            bool is_device = false;
            for (std::uint32_t i = 0; i < size && at < operation.operands.size(); ++i, ++at) {
                if (is_tensor(operation.operands[at]))
                    group.push_back(operation.operands[at]);
                else
                    is_device = true;
            }
            if (!is_device) groups_.push_back(std::move(group));
        }
    }

    std::vector<ValueId> at(const OperandWord& word) const {
        if (word.place >= groups_.size()) return {};
        if (!word.is_list || is_segmented_) return groups_[word.place];
        std::vector<ValueId> all;
        for (std::size_t i = word.place; i < groups_.size(); ++i)
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

// An attribute that says nothing: an empty list of functions.
bool says_nothing(const Value& value) {
    return value.kind == Value::Kind::kList && value.items.empty();
}

}  // namespace

FunctionCall call_of(const CallRule& rule, const foreign::CompiledProgram& program,
                     const foreign::ProgramFunction& function, const foreign::ProgramOperation& operation) {
    FunctionCall call{.function = rule.function, .arguments = {}, .left_out = {}};
    const Operands operands(program, function, operation);
    const Value attributes = operation.read_attributes();
    const foreign::TensorType* result =
        operation.results.empty() ? nullptr : &program.types[function.values[operation.results.front()].type];
    std::set<std::string_view> known = {"operandSegmentSizes", "resultSegmentSizes", "operand_segment_sizes"};
    for (const std::string& text : rule.words) {
        const std::string_view word = text;
        if (word.starts_with('-')) {
            known.insert(word.substr(1));
            continue;
        }
        const std::size_t sign = word.find('=');
        const std::string_view first = word.substr(0, sign);
        const std::string_view second = sign == std::string_view::npos ? first : word.substr(sign + 1);
        if (word == "by_name") {
            call.is_by_name = true;
        } else if (word == "device") {
            // On the host where the result lies there.
            if (result == nullptr || memory_of(*result)) call.arguments.push_back({word, TheDevice()});
        } else if (const auto operand = operand_in(word)) {
            std::vector<ValueId> values = operands.at(*operand);
            if (operand->is_list)
                call.arguments.push_back({operand->parameter, TensorValues{std::move(values)}});
            else if (!values.empty())
                call.arguments.push_back({operand->parameter, TensorValue{values.front()}});
        } else if (word.starts_with('>')) {
            if (result == nullptr) continue;
            compat::Argument argument = of_result(first.substr(1), *result);
            const std::string_view parameter = sign == std::string_view::npos ? word.substr(1) : second;
            if (is_given(argument)) call.arguments.push_back({parameter, std::move(argument)});
        } else if (const std::size_t colon = word.find(':'); colon != std::string_view::npos) {
            call.arguments.push_back({word.substr(0, colon), constant_of(word.substr(colon + 1))});
        } else {
            const bool as_pairs = word.ends_with("%pairs");
            const std::string_view name = as_pairs ? word.substr(0, word.find('%')) : first;
            known.insert(name);
            const Value* value = attributes.find(name);
            if (value == nullptr || says_nothing(*value)) continue;
            try {
                if (as_pairs)
                    call.arguments.push_back({name, pairs_of(argument_of(*value))});
                else
                    call.arguments.push_back({second, argument_of(*value)});
            } catch (const RuntimeError& error) {
                throw RuntimeError(std::string(name) + ": " + error.what());
            }
        }
    }
    for (const foreign::mlir::Item& item : attributes.items)
        if (!item.key.empty() && !known.contains(item.key)) call.left_out.emplace_back(item.key);
    return call;
}

}  // namespace tilemeter::compiled
