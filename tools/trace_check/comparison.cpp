// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/trace_check/comparison.hpp"

#include <algorithm>
#include <cmath>

namespace tilemeter::trace_check {

using ir::Constant;
using nlohmann::json;

namespace {

std::string array_difference(const Constant& found, const Constant& expected, double tolerance) {
    if (found.type() != expected.type())
        return "found " + text_of(found.type()) + ", expected " + text_of(expected.type());
    const auto count = static_cast<std::size_t>(expected.type().shape.elements());
    for (std::size_t i = 0; i < count; ++i) {
        const double a = found.double_at(i);
        const double b = expected.double_at(i);
        const bool same = a == b || (std::isnan(a) && std::isnan(b));
        if (!same && !(std::fabs(a - b) <= tolerance + tolerance * std::fabs(b)))
            return "element " + std::to_string(i) + ": found " + std::to_string(a) + ", expected " +
                   std::to_string(b);
    }
    return {};
}

}  // namespace

std::string difference(const std::vector<Constant>& found, const std::vector<Constant>& expected,
                       double tolerance) {
    if (found.size() != expected.size())
        return "found " + std::to_string(found.size()) + " results, expected " +
               std::to_string(expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        if (const std::string why = array_difference(found[i], expected[i], tolerance); !why.empty())
            return "result " + std::to_string(i) + ": " + why;
    return {};
}

double tolerance_of(const json& function, const std::string& answer, Precision precision) {
    if (precision.element == ir::ElementType::kF64) return answer == "hvp" ? 1e-8 : 1e-9;
    const json recorded = function.value("float32_error", json::object());
    return std::max(2e-5, 10 * recorded.value(answer, 0.0));
}

std::vector<Constant> arrays_of(const json& arrays, Precision precision) {
    std::vector<Constant> all;
    for (const json& each : arrays)
        if (!each.is_null()) all.push_back(array_of(each, precision));
    return all;
}

}  // namespace tilemeter::trace_check
