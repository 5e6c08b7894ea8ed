// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A named temporary of a composite operation. At the end of its life it frees its memory in the scope
// "Tensor::deallocate", unless another tensor shares it; a value that is overwritten by an assignment is
// freed without a scope. TT-NN's C++ tensors do the same, and captures show it.
//
// Thread safety: calls that change an object need outside locking.

#pragma once

#include <utility>

#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

class ScopedTensor {
public:
    explicit ScopedTensor(Tensor tensor) : tensor_(std::move(tensor)) {}
    ~ScopedTensor() {
        if (!tensor_.is_allocated() || tensor_.storage_type() != StorageType::DEVICE) return;
        if (!tensor_.shares_memory()) tensor_.deallocate();
    }
    ScopedTensor(const ScopedTensor&) = delete;
    ScopedTensor& operator=(const ScopedTensor&) = delete;
    ScopedTensor& operator=(Tensor tensor) {
        tensor_ = std::move(tensor);
        return *this;
    }

    const Tensor& operator*() const { return tensor_; }
    const Tensor* operator->() const { return &tensor_; }

    /// Hands the tensor out: it is not freed with this object.
    Tensor take() { return std::exchange(tensor_, Tensor()); }

private:
    Tensor tensor_;
};

}  // namespace tilemeter
