// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compiled/code_writer.hpp"

#include <algorithm>
#include <cctype>
#include <variant>

#include "tools/compiled/functions.hpp"
#include "tools/compiled/values.hpp"

namespace tilemeter::compiled {

using foreign::ProgramFunction;
using foreign::ProgramOperation;
using foreign::ValueId;

// The last part of a location's name ("jit(f)/jit(relu)/dot_general" gives dot_general).
std::string CodeWriter::identifier(std::string_view name, std::string_view fallback) const {
    if (const std::size_t slash = name.rfind('/'); slash != std::string_view::npos)
        name.remove_prefix(slash + 1);
    std::string text;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || (c == '_' && !text.ends_with('_')))
            text += c;
        else if (!text.empty() && !text.ends_with('_'))
            text += '_';
    }
    while (text.ends_with('_'))
        text.pop_back();
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) text = fallback;
    return reserved_.contains(text) ? text + "_" : text;
}

std::string CodeWriter::named_config(const compat::Argument& argument, const std::string& text) {
    const bool is_memory = std::holds_alternative<MemoryConfig>(argument);
    const bool is_compute = std::holds_alternative<DeviceComputeKernelConfig>(argument);
    if (text.size() <= 40 ||
        (!is_memory && !is_compute && !std::holds_alternative<MatmulProgramConfig>(argument) &&
         !std::holds_alternative<Conv2dConfig>(argument)))
        return text;
    const auto [entry, is_new] = names_of_configs_.try_emplace(text);
    if (is_new) {
        const std::string kind = is_memory    ? "memory_config"
                                 : is_compute ? "compute_config"
                                              : "program_config";
        entry->second = kind + "_" + std::to_string(++config_counts_[kind]);
        configs_.emplace_back(text, entry->second);
    }
    return entry->second;
}

std::string CodeWriter::unique(std::string name) {
    const std::size_t count = taken_[name]++;
    if (count == 0) return name;
    return unique(name + "_" + std::to_string(count));
}

void CodeWriter::write_functions(const ProgramFunction& main) {
    for (const ProgramFunction* each : functions_of(program_, main))
        write_function(*each);
}

void CodeWriter::write_function(const ProgramFunction& function) {
    names_.assign(function.values.size(), {});
    taken_.clear();
    for (const ProgramFunction& each : program_.functions)
        taken_[function_name(each)] = 1;
    retained_.clear();
    last_line_ = 0;
    Names arguments;
    for (const ValueId argument : function.arguments) {
        names_[argument] = unique(identifier(function.values[argument].name, "argument"));
        retained_.insert(argument);
        arguments.push_back(names_[argument]);
    }
    begin_function(function_name(function), arguments);
    for (const ProgramOperation& operation : function.operations)
        write_operation(function, operation);
    Names results;
    for (const ValueId result : program_.tensors_among(function, function.results))
        results.push_back(names_[result]);
    end_function(results);
}

void CodeWriter::write_operation(const ProgramFunction& function, const ProgramOperation& operation) {
    if (operation.name == "ttnn.get_device" || is_within_trace(operation)) return;
    if (is_trace(operation)) return write_trace(function, operation);
    if (operation.name == "ttnn.deallocate") {
        for (const ValueId operand : operation.operands)
            if (!retained_.contains(operand)) write_free(names_[operand]);
        return;
    }
    write_place(operation);
    const bool is_cached = operation.name == "ttcore.load_cached";
    Names results;
    for (const ValueId result : operation.results) {
        const std::string_view name = program_.places[operation.place].name;
        const std::string_view dialect = operation.name.substr(operation.name.find('.') + 1);
        names_[result] = unique(identifier(name.empty() ? dialect : name, dialect));
        if (is_cached) retained_.insert(result);
        results.push_back(names_[result]);
    }
    if (!operation.callee.empty()) {
        const ProgramFunction* callee = program_.find(operation.callee);
        Names arguments;
        for (const ValueId operand : program_.tensors_among(function, operation.operands))
            arguments.push_back(names_[operand]);
        write_function_call(results,
                            callee == nullptr ? std::string(operation.callee) : function_name(*callee),
                            is_cached, arguments);
        return;
    }
    const CallRule* rule = find_rule(operation.name);
    if (rule == nullptr || !operation.is_understood) {
        unknown_.emplace_back(operation.name);
        write_unknown(results, operation.name);
    } else {
        write_call(results, *rule, call_of(*rule, program_, function, operation));
    }
}

// What its first call does, as planning has it.
void CodeWriter::write_trace(const ProgramFunction& function, const ProgramOperation& operation) {
    write_place(operation);
    const auto [allocates, captures] = trace_functions(program_, operation);
    Names on_device, given, slots;
    for (const ValueId value : program_.tensors_among(function, operation.operands))
        (allocates != nullptr && memory_of(program_.type_of(function, value)) ? on_device : given)
            .push_back(names_[value]);
    const ProgramFunction& gives = allocates != nullptr ? *allocates : *captures;
    for (std::size_t i = 0; i < program_.tensors_among(gives, gives.results).size(); ++i)
        slots.push_back(unique("slot"));
    if (allocates != nullptr) {
        write_function_call(slots, function_name(*allocates), false, on_device);
        given.insert(given.end(), slots.begin(), slots.end());
    }
    write_function_call(allocates != nullptr ? Names() : slots, function_name(*captures), false, given);
    const std::size_t count = std::min(operation.results.size(), slots.size());
    for (std::size_t i = 0; i < count; ++i) {
        names_[operation.results[i]] = slots[(allocates != nullptr ? slots.size() - count : 0) + i];
        retained_.insert(operation.results[i]);
    }
}

void CodeWriter::write_place(const ProgramOperation& operation) {
    const foreign::UserPlace& place = program_.places[operation.place];
    if (place.file.empty() || (place.file == last_file_ && place.line == last_line_)) return;
    write_comment(place.file + ":" + std::to_string(place.line));
    last_file_ = place.file;
    last_line_ = static_cast<std::uint32_t>(place.line);
}

}  // namespace tilemeter::compiled
