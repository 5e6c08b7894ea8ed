// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Types, arrays of f64 and their values for tests, and the kinds of errors.

#pragma once

#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/constant.hpp"
#include "capture/ir/error.hpp"
#include "runtime/trace/arrays/array.hpp"
#include "runtime/trace/primitives/error.hpp"

namespace tilemeter::trace::test {

using Values = std::vector<double>;

inline const ir::TensorType kNumber{ir::ElementType::kF64, {}, {}};
inline const ir::TensorType kCount{ir::ElementType::kI32, {}, {}};
inline const ir::TensorType kVector{ir::ElementType::kF64, {3}, {}};
inline const ir::TensorType kMatrix{ir::ElementType::kF32, {2, 3}, {}};

inline Array number(double value) {
    return Array(ir::Constant::scalar(ir::ElementType::kF64, value));
}

inline Array vector(const Values& values) {
    return Array(ir::Constant::of(ir::ElementType::kF64, {static_cast<std::int64_t>(values.size())},
                                  std::span<const double>(values)));
}

inline Values values_of(const ir::Constant& constant) {
    Values values;
    for (std::int64_t i = 0; i < constant.type().shape.elements(); ++i)
        values.push_back(constant.double_at(static_cast<std::size_t>(i)));
    return values;
}
inline Values values_of(const Array& array) {
    return values_of(array.value());
}

/// The kind of the TraceError that `call` throws; its text has to have `word`.
template <class Call>
TraceErrorKind kind_of(const Call& call, const std::string& word) {
    try {
        call();
    } catch (const TraceError& error) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        return error.kind();
    }
    ADD_FAILURE() << "no error";
    return TraceErrorKind::kCount;
}

/// The kind of the ir::Error that `call` throws; its text goes to `text` if that is not null.
template <class Call>
ir::ErrorKind graph_error_of(const Call& call, std::string* text = nullptr) {
    try {
        call();
    } catch (const ir::Error& error) {
        if (text != nullptr) *text = error.what();
        return error.kind();
    }
    ADD_FAILURE() << "found no error";
    return ir::ErrorKind::kCount;
}

}  // namespace tilemeter::trace::test
