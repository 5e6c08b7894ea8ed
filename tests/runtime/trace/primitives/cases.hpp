// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Small examples of all primitives, for the tests of their rows.

#pragma once

#include <random>
#include <string>
#include <vector>

#include "capture/ir/attributes.hpp"
#include "capture/ir/constant.hpp"
#include "capture/ir/graph.hpp"

namespace tilemeter::trace::test {

using Arrays = std::vector<ir::Constant>;

/// An operand with numbers between two limits, or with those that are given.
struct Operand {
    ir::Shape shape;
    double low = -2;
    double high = 2;
    ir::ElementType element = ir::ElementType::kF64;
    std::vector<double> values{};
};

struct Case {
    std::string primitive;
    std::vector<Operand> operands;
    ir::Attributes attributes{};
};

/// At least one of each primitive but custom_call and those that hold graphs.
std::vector<Case> all_cases();

/// The one equation, of parameters.
ir::Graph graph_of(const Case& each);

class Numbers {
public:
    ir::Constant of(const ir::TensorType& type, double low = -1, double high = 1) {
        std::uniform_real_distribution<double> distribution(low, high);
        std::vector<double> values(static_cast<std::size_t>(type.shape.elements()));
        for (double& value : values)
            value = distribution(engine_);
        return ir::Constant::of(type.element, type.shape, std::span<const double>(values));
    }
    ir::Constant of(const Operand& operand) {
        if (!operand.values.empty())
            return ir::Constant::of(operand.element, operand.shape, std::span<const double>(operand.values));
        return of({operand.element, operand.shape, {}}, operand.low, operand.high);
    }

private:
    std::mt19937_64 engine_{7};
};

/// Values of the parameters.
Arrays inputs_of(const Case& each, Numbers& numbers);

}  // namespace tilemeter::trace::test
