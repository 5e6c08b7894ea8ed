// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/memory/internal/program_signature.hpp"

#include <cctype>

namespace tilemeter::analysis {

std::string stable_argument(std::string_view argument) {
    std::string result;
    for (std::size_t at = 0; at < argument.size(); ++at) {
        result += argument[at];
        const bool is_pointer = argument[at] == 'x' && at > 0 && argument[at - 1] == '0' &&
                                (at < 2 || std::isalnum(static_cast<unsigned char>(argument[at - 2])) == 0);
        if (!is_pointer) continue;
        while (at + 1 < argument.size() && std::isxdigit(static_cast<unsigned char>(argument[at + 1])) != 0)
            ++at;
    }
    return result;
}

}  // namespace tilemeter::analysis

namespace tilemeter::analysis::internal {
namespace {

// FNV-1a: the same on every machine, since libraries of programs may be kept.
std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text)
        value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return value | 1U;  // never 0
}

std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
    return (seed ^ value) * 0x9e3779b97f4a7c15U + (seed >> 29U);
}

}  // namespace

std::uint64_t ProgramSignature::hash_of(TextRef text) {
    const auto index = static_cast<std::size_t>(text);
    if (index >= hashes_.size()) hashes_.resize(list_.texts.size() + 1, 0);
    if (hashes_[index] == 0) hashes_[index] = hash(stable_argument(list_.text(text)));
    return hashes_[index];
}

std::uint64_t ProgramSignature::of(std::uint32_t function_start) {
    const NodeList::Function* function = list_.function(function_start);
    if (function == nullptr) return 0;
    std::uint64_t value = hash_of(function->name);
    for (const TextRef argument : list_.arguments(*function))
        value = combine(value, hash_of(argument));
    for (const std::int64_t input : list_.of_pool(function->input_tensors)) {
        if (!list_.holds(input)) continue;
        const NodeList::Tensor* tensor = list_.tensor(static_cast<std::size_t>(input));
        if (tensor == nullptr) continue;
        for (const TextRef text : {tensor->shape, tensor->dtype, tensor->layout, tensor->memory_config})
            value = combine(value, hash_of(text));
    }
    return value | 1U;
}

}  // namespace tilemeter::analysis::internal
