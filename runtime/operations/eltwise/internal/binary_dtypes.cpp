// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/internal/binary_dtypes.hpp"

#include <string>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/require.hpp"

namespace tilemeter {

namespace {

using compute::BinaryKind;

struct Takes {
    bool floats = true;
    bool int32 = false;
    bool uint32 = false;
    bool uint16 = false;
    bool mixed_floats = false;
};
constexpr Takes kFloatsOnly{};
constexpr Takes kEverything{true, true, true, true, true};
constexpr Takes kBits{false, true, true, true, false};

Takes takes(BinaryKind kind) {
    switch (kind) {
        case BinaryKind::kAdd:
        case BinaryKind::kSubtract:
        case BinaryKind::kMultiply:
        case BinaryKind::kEqual:
        case BinaryKind::kNotEqual:
        case BinaryKind::kGreater:
        case BinaryKind::kGreaterOrEqual:
        case BinaryKind::kLess:
        case BinaryKind::kLessOrEqual:
        case BinaryKind::kReverseSubtract:
        case BinaryKind::kSquaredDifference:
        case BinaryKind::kLogicalAnd:
        case BinaryKind::kLogicalOr:
        case BinaryKind::kLogicalXor:
            return kEverything;
        case BinaryKind::kDivide:
            return {true, true, false, false, true};
        case BinaryKind::kMaximum:
        case BinaryKind::kMinimum:
        case BinaryKind::kRemainder:
            return {true, true, true, false, false};
        case BinaryKind::kFmod:
            return {true, true, false, false, false};
        case BinaryKind::kIsClose:
            return {true, false, false, false, true};
        case BinaryKind::kDivideFloor:
        case BinaryKind::kDivideTrunc:
        case BinaryKind::kGcd:
        case BinaryKind::kLcm:
            return {false, true, false, false, false};
        case BinaryKind::kBitwiseAnd:
        case BinaryKind::kBitwiseOr:
        case BinaryKind::kBitwiseXor:
        case BinaryKind::kLeftShift:
        case BinaryKind::kRightShift:
            return kBits;
        case BinaryKind::kLogicalRightShift:
            return {false, true, true, false, false};
        case BinaryKind::kLogAddExp:
        case BinaryKind::kLogAddExp2:
        case BinaryKind::kLdexp:
        case BinaryKind::kBiasGelu:
        case BinaryKind::kHypot:
        case BinaryKind::kXlogy:
        case BinaryKind::kAtan2:
        case BinaryKind::kPower:
        case BinaryKind::kNextAfter:
            break;
    }
    return kFloatsOnly;
}

bool is_taken(BinaryKind kind, DataType dtype) {
    const Takes taken = takes(kind);
    if (is_block_float(dtype)) return taken.floats && kind != BinaryKind::kNextAfter;
    if (is_floating_point(dtype)) return taken.floats;
    if (dtype == DataType::INT32) return taken.int32;
    if (dtype == DataType::UINT32) return taken.uint32;
    return dtype == DataType::UINT16 && taken.uint16;
}

std::string operation_text(BinaryKind kind) {
    return "binary operation BinaryOpType::" + std::string(compute::name_of(kind));
}

void require_taken(BinaryKind kind, DataType dtype, const char* side) {
    require(is_taken(kind, dtype), [&] {
        return "Input tensor " + std::string(side) + " dtype " + attribute_text(dtype) +
               " is not supported for " + operation_text(kind);
    });
}

bool is_product(BinaryKind kind) {
    return kind == BinaryKind::kMultiply || kind == BinaryKind::kDivide;
}

bool is_comparison(BinaryKind kind) {
    return kind >= BinaryKind::kEqual && kind <= BinaryKind::kLessOrEqual;
}

bool is_32_bit_integer(DataType dtype) {
    return dtype == DataType::INT32 || dtype == DataType::UINT32;
}

}  // namespace

void require_dtypes(BinaryKind kind, DataType left, std::optional<DataType> right) {
    require_taken(kind, left, "A");
    if (!right) return;
    require_taken(kind, *right, "B");
    if (left == *right) return;
    require(is_floating_point(left) && is_floating_point(*right) && takes(kind).mixed_floats, [&] {
        return "Mixed dtype is not supported for " + operation_text(kind) +
               ", dtype A: " + attribute_text(left) + ", dtype B: " + attribute_text(*right);
    });
}

void require_representable(BinaryKind kind, DataType left, const Scalar& number) {
    if (!is_32_bit_integer(left) || number.is_whole()) return;
    const std::string dtype = attribute_text(left);
    refuse_with(
        "Binary operation BinaryOpType::", compute::name_of(kind), " with a ", dtype,
        " tensor cannot represent the scalar ", attribute_text(number),
        ": only a finite integer within the range of ", dtype,
        " survives being packed as one, and this value would be changed silently. Typecast the input to "
        "a floating-point dtype first.");
}

DataType result_dtype(BinaryKind kind, DataType left) {
    return kind == BinaryKind::kDivide && left == DataType::INT32 ? DataType::FLOAT32 : left;
}

OperandCasts operand_casts(BinaryKind kind, DataType left, DataType right) {
    if (is_comparison(kind) && left == DataType::UINT8 && right == DataType::UINT8) {
        return {DataType::UINT16, DataType::UINT16};
    }
    const auto partner = [](DataType other) { return is_block_float(other) ? DataType::BFLOAT16 : other; };
    if (is_product(kind) && is_32_bit_integer(left) && is_floating_point(right)) return {partner(right), {}};
    if (is_product(kind) && is_32_bit_integer(right) && is_floating_point(left)) return {{}, partner(left)};
    return {};
}

OperandCasts operand_casts(BinaryKind kind, DataType left, const Scalar& number) {
    if (is_comparison(kind) && left == DataType::UINT8) return {DataType::UINT16, {}};
    if (is_product(kind) && is_32_bit_integer(left) && !number.is_integral()) return {DataType::FLOAT32, {}};
    return {};
}

}  // namespace tilemeter
