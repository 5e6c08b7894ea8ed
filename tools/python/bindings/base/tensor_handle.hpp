// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The content of a Python tensor object, and its use in C++ signatures that speak of Tensor.

#pragma once

#include <utility>

#include <nanobind/nanobind.h>

#include "runtime/operations/eltwise/complex.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter::python {

/// A tensor that Python owns. When the last Python object of a tensor goes, its memory is freed in a scope
/// "Tensor::deallocate", as TT-NN's Python tensors do; temporaries of C++ go without one.
class TensorHandle {
public:
    explicit TensorHandle(Tensor tensor) : tensor_(std::move(tensor)) {}
    TensorHandle(TensorHandle&&) = default;
    TensorHandle(const TensorHandle&) = delete;
    ~TensorHandle();

    Tensor& tensor() { return tensor_; }
    const Tensor& tensor() const { return tensor_; }

    /// A host tensor in rows whose last two dimensions TT-NN has padded to whole tiles; our shapes know no padding.
    bool is_padded_to_tiles() const { return is_padded_to_tiles_; }
    TensorHandle padded_to_tiles() const {
        TensorHandle padded(tensor_);
        padded.is_padded_to_tiles_ = true;
        return padded;
    }

private:
    Tensor tensor_;
    bool is_padded_to_tiles_ = false;
};

/// A complex tensor that Python owns; its parts as TensorHandle's.
class ComplexHandle {
public:
    explicit ComplexHandle(const ComplexTensor& tensor) : real_(tensor.real), imag_(tensor.imag) {}

    ComplexTensor tensor() const { return {real_.tensor(), imag_.tensor()}; }
    /// Frees what no other tensor shares.
    void deallocate() {
        for (TensorHandle* const part : {&real_, &imag_}) {
            Tensor& tensor = part->tensor();
            if (tensor.storage_type() == StorageType::DEVICE && tensor.is_allocated())
                tensor.deallocate(false);
        }
    }

private:
    TensorHandle real_;
    TensorHandle imag_;
};

}  // namespace tilemeter::python

namespace nanobind::detail {

/// Tensor <-> the Python object that holds a TensorHandle.
template <>
struct type_caster<tilemeter::Tensor> {
    NB_TYPE_CASTER(tilemeter::Tensor, const_name<tilemeter::python::TensorHandle>())

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        make_caster<tilemeter::python::TensorHandle> held;
        if (source.is_none() || !held.from_python(source, flags, cleanup)) return false;
        value = static_cast<tilemeter::python::TensorHandle&>(held).tensor();
        return true;
    }

    static handle from_cpp(const tilemeter::Tensor& tensor, rv_policy, cleanup_list* cleanup) noexcept {
        return make_caster<tilemeter::python::TensorHandle>::from_cpp(tilemeter::python::TensorHandle(tensor),
                                                                      rv_policy::move, cleanup);
    }
    static handle from_cpp(tilemeter::Tensor&& tensor, rv_policy, cleanup_list* cleanup) noexcept {
        return make_caster<tilemeter::python::TensorHandle>::from_cpp(
            tilemeter::python::TensorHandle(std::move(tensor)), rv_policy::move, cleanup);
    }
};

/// ComplexTensor <-> the Python object that holds a ComplexHandle.
template <>
struct type_caster<tilemeter::ComplexTensor> {
    NB_TYPE_CASTER(tilemeter::ComplexTensor, const_name<tilemeter::python::ComplexHandle>())

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        make_caster<tilemeter::python::ComplexHandle> held;
        if (source.is_none() || !held.from_python(source, flags, cleanup)) return false;
        value = static_cast<tilemeter::python::ComplexHandle&>(held).tensor();
        return true;
    }

    static handle from_cpp(const tilemeter::ComplexTensor& tensor, rv_policy,
                           cleanup_list* cleanup) noexcept {
        return make_caster<tilemeter::python::ComplexHandle>::from_cpp(
            tilemeter::python::ComplexHandle(tensor), rv_policy::move, cleanup);
    }
};

}  // namespace nanobind::detail
