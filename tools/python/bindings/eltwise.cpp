// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What bcast is told: the function and the dimensions.

#include "runtime/operations/eltwise/bcast.hpp"
#include "tools/python/bindings/bind.hpp"

namespace tilemeter::python {

void bind_eltwise_types(nb::module_& module) {
    nb::enum_<BcastOpMath>(module, "BcastOpMath", "What bcast does with its tensors.")
        .value("ADD", BcastOpMath::ADD)
        .value("SUB", BcastOpMath::SUB)
        .value("MUL", BcastOpMath::MUL);
    nb::enum_<BcastOpDim>(module, "BcastOpDim",
                          "The dimensions of which bcast's second tensor has one element.")
        .value("H", BcastOpDim::H)
        .value("W", BcastOpDim::W)
        .value("HW", BcastOpDim::HW);
}

}  // namespace tilemeter::python
