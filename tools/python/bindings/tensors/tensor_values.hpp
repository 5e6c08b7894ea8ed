// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Values between tensors and arrays of Python: NumPy, DLPack, buffers.

#pragma once

#include <cstddef>
#include <optional>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter::python {

namespace nb = nanobind;

/// Any array on the host: contiguous, or made so by nanobind.
using AnyArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

/// The values of `array` as a host tensor's; rounded to `dtype`, or to the type nearest to the array's own.
/// Throws nb::type_error for element types that have no meaning here (complex, text).
HostArray host_array_of(const AnyArray& array, std::optional<DataType> dtype,
                        const std::optional<Shape>& shape);

/// A NumPy array with the tensor's values; bfloat16 and the block formats as float32.
nb::ndarray<nb::numpy> numpy_of(const Tensor& tensor, std::size_t chip);

/// For DLPack: as numpy_of, but bfloat16 stays what it is; the block formats are float32 here, too.
nb::ndarray<> dlpack_of(const Tensor& tensor, std::size_t chip);

}  // namespace tilemeter::python
