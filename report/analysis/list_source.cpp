// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/analysis/list_source.hpp"

#include <algorithm>
#include <string_view>

namespace tilemeter::graph {

const PythonCall* ListSource::python_call(std::uint32_t node) const {
    const auto found =
        std::lower_bound(python_calls.begin(), python_calls.end(), node,
                         [](const PythonCall& call, std::uint32_t wanted) { return call.node < wanted; });
    return found != python_calls.end() && found->node == node ? &*found : nullptr;
}

// `  File "/home/user/models/m.py", line 6, in f` -> "/home/user/models/m.py:6"
std::string source_line(const PythonCall& call) {
    if (call.frames.empty()) return {};
    const std::string_view frame = call.frames.front();
    const std::size_t open = frame.find('"');
    if (open == std::string_view::npos) return {};
    const std::size_t close = frame.find('"', open + 1);
    if (close == std::string_view::npos) return {};
    std::string result(frame.substr(open + 1, close - open - 1));
    constexpr std::string_view kLine = ", line ";
    if (const std::string_view rest = frame.substr(close + 1); rest.starts_with(kLine)) {
        const std::string_view number = rest.substr(kLine.size());
        result += ":" + std::string(number.substr(0, number.find_first_not_of("0123456789")));
    }
    return result;
}

}  // namespace tilemeter::graph
