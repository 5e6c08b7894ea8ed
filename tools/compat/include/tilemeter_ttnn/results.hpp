// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What some operations give beside one tensor: complex tensors, convolutions with sizes and weights.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn::operations::complex {

/// The real and the imaginary part, each a tensor.
class ComplexTensor {
public:
    explicit ComplexTensor(std::array<Tensor, 2> parts) : parts_(std::move(parts)) {}
    const Tensor& operator[](std::size_t part) const { return parts_.at(part); }
    const Tensor& real() const { return parts_[0]; }
    const Tensor& imag() const { return parts_[1]; }
    void deallocate() {
        parts_[0].deallocate();
        parts_[1].deallocate();
    }

private:
    std::array<Tensor, 2> parts_;
};

}  // namespace ttnn::operations::complex

namespace ttnn {

struct MaxPoolWithIndicesResult {
    Tensor output;
    Tensor indices;
};

using OutputHeight = std::uint32_t;
using OutputWidth = std::uint32_t;
/// The output; with its height and width; with weight and bias as they lie on the device; with all.
using Conv2dResultWithOptions = std::variant<
    Tensor, std::tuple<Tensor, std::tuple<OutputHeight, OutputWidth>>,
    std::tuple<Tensor, std::tuple<Tensor, std::optional<Tensor>>>,
    std::tuple<Tensor, std::tuple<OutputHeight, OutputWidth>, std::tuple<Tensor, std::optional<Tensor>>>>;
using ConvTranspose2dResultWithOptions = Conv2dResultWithOptions;
using Conv1dResult =
    std::variant<Tensor, std::tuple<Tensor, std::uint32_t>,
                 std::tuple<Tensor, std::tuple<Tensor, std::optional<Tensor>>>,
                 std::tuple<Tensor, std::uint32_t, std::tuple<Tensor, std::optional<Tensor>>>>;

}  // namespace ttnn
