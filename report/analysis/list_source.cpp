// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/list_source.hpp"

#include <algorithm>

#include "report/python_io.hpp"

namespace tilemeter::analysis {

const PythonCall* ListSource::python_call(std::uint32_t node) const {
    const auto found =
        std::lower_bound(python_calls.begin(), python_calls.end(), node,
                         [](const PythonCall& call, std::uint32_t wanted) { return call.node < wanted; });
    return found != python_calls.end() && found->node == node ? &*found : nullptr;
}

std::string source_line(const PythonCall& call) {
    return call.frames.empty() ? std::string() : report::source_line_of_frame(call.frames.front());
}

}  // namespace tilemeter::analysis
