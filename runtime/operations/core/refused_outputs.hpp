// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a refused call has done before it is refused.

#pragma once

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// A device operation that makes its outputs before it looks whether its inputs fit each other, as most of
/// TT-NN's do: refused, it has allocated them and gives them back.
class MakesOutputsFirst {
public:
    virtual ~MakesOutputsFirst() = default;

    /// The outputs that it makes of inputs which validate() refuses; none: it refuses before. A RuntimeError
    /// is taken for none.
    virtual TensorSpecs outputs_of_refused(std::span<const TensorSpec> inputs) const = 0;

protected:
    MakesOutputsFirst() = default;
    MakesOutputsFirst(const MakesOutputsFirst&) = default;
    MakesOutputsFirst& operator=(const MakesOutputsFirst&) = default;
};

/// Of operations whose infer() says what comes of any inputs, legal or not.
template <typename Operation>
class MakesInferredOutputsFirst : public MakesOutputsFirst {
public:
    TensorSpecs outputs_of_refused(std::span<const TensorSpec> inputs) const override {
        return static_cast<const Operation&>(*this).infer(inputs);
    }
};

}  // namespace tilemeter
