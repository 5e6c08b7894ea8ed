// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters of losses: whether they are reduced.

#include "runtime/operations/reduction/losses.hpp"
#include "tools/python/bindings/base/bind.hpp"

namespace tilemeter::python {

void bind_reduction_types(nb::module_& module) {
    nb::enum_<LossReductionMode>(module, "LossReductionMode", "What a loss is: per element, a sum, a mean.")
        .value("NONE", LossReductionMode::NONE)
        .value("SUM", LossReductionMode::SUM)
        .value("MEAN", LossReductionMode::MEAN);
}

}  // namespace tilemeter::python
