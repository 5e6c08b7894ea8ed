// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "report/analysis/gate/compare.hpp"
#include "report/analysis/memory/internal/program_bytes.hpp"
#include "report/analysis/memory/internal/program_signature.hpp"

namespace tilemeter::analysis {

std::vector<Configuration> configurations(const NodeList& list, const MemoryLifetimes& lifetimes) {
    std::map<std::uint32_t, std::uint64_t> program_bytes;  // by scope
    internal::ProgramBytes bytes_of(lifetimes);
    for (const ProgramLifetime& program : lifetimes.programs)
        if (program.scope != kNoIndex) program_bytes[program.scope] = bytes_of(program);
    std::map<std::tuple<std::string, std::vector<std::string>, std::vector<std::string>>, Configuration>
        groups;
    for (std::uint32_t scope = 0; scope < lifetimes.scopes.scopes.size(); ++scope) {
        const NodeList::Function* function = list.function(lifetimes.scopes.scopes[scope].start);
        if (function == nullptr || (function->arguments.count == 0 && function->input_tensors.count == 0))
            continue;
        Configuration it;
        it.operation = list.text(function->name);
        for (const TextRef argument : list.arguments(*function))
            it.arguments.push_back(stable_argument(list.text(argument)));
        for (const std::int64_t input : list.of_pool(function->input_tensors)) {
            const NodeList::Tensor* tensor =
                list.holds(input) ? list.tensor(static_cast<std::size_t>(input)) : nullptr;
            if (tensor == nullptr) continue;
            std::string type(list.text(tensor->shape));
            for (const TextRef text : {tensor->dtype, tensor->layout, tensor->memory_config})
                if (text != TextRef::kNone) type += " " + std::string(list.text(text));
            it.inputs.push_back(std::move(type));
        }
        Configuration& group = groups[{it.operation, it.arguments, it.inputs}];
        if (group.count == 0) group = std::move(it);
        ++group.count;
        if (const auto bytes = program_bytes.find(scope); bytes != program_bytes.end())
            group.program_bytes = std::max(group.program_bytes, bytes->second);
    }
    std::vector<Configuration> result;
    for (auto& [key, group] : groups)
        result.push_back(std::move(group));
    std::ranges::stable_sort(result, [](const Configuration& a, const Configuration& b) {
        return std::pair(a.count, a.program_bytes) > std::pair(b.count, b.program_bytes);
    });
    return result;
}

}  // namespace tilemeter::analysis
