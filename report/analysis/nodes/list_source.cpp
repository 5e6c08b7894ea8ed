// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/nodes/list_source.hpp"

#include <algorithm>
#include <limits>

#include "report/python_io.hpp"

namespace tilemeter::analysis {

const PythonCall* ListSource::python_call(std::uint32_t node) const {
    const auto found =
        std::lower_bound(python_calls.begin(), python_calls.end(), node,
                         [](const PythonCall& call, std::uint32_t wanted) { return call.node < wanted; });
    return found != python_calls.end() && found->node == node ? &*found : nullptr;
}

std::string text_of(const DamagedNumber& number) {
    constexpr auto kNoNode = std::numeric_limits<std::uint32_t>::max();
    std::string text;
    if (number.byte) text += "byte " + std::to_string(*number.byte) + ", ";
    if (number.node != kNoNode) text += "node " + std::to_string(number.node) + ", ";
    return text + number.where + ": expected " + number.expected + ", found " + number.found;
}

std::string source_line(const PythonCall& call) {
    report::SourceOfStack source;
    for (const std::string& frame : call.frames)
        if (source.take(frame)) break;
    return source.line();
}

}  // namespace tilemeter::analysis
