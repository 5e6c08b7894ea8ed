// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Complex tensors, and what bcast is told: the function and the dimensions.

#include <tuple>

#include <nanobind/stl/tuple.h>

#include "runtime/operations/eltwise/bcast.hpp"
#include "runtime/operations/eltwise/complex.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/tensor_handle.hpp"

namespace tilemeter::python {

void bind_eltwise_types(nb::module_& module) {
    using nb::literals::operator""_a;
    nb::class_<ComplexHandle>(module, "ComplexTensor", "Two tensors: the real and the imaginary parts.")
        .def(
            "__init__",
            [](ComplexHandle* made, const std::tuple<Tensor, Tensor>& parts) {
                new (made) ComplexHandle({std::get<0>(parts), std::get<1>(parts)});
            },
            "parts"_a)
        .def_prop_ro("real", [](const ComplexHandle& self) { return self.tensor().real; })
        .def_prop_ro("imag", [](const ComplexHandle& self) { return self.tensor().imag; })
        .def(
            "__getitem__",
            [](const ComplexHandle& self, std::uint32_t i) {
                if (i > 1) throw nb::index_error("expected 0 (real) or 1 (imag)");
                return self.tensor().tensors()[i];
            },
            "i"_a)
        .def("deallocate", &ComplexHandle::deallocate, "Frees the parts that no other tensor shares.");
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
