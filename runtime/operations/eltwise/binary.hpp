// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise operations of two tensors, or of a tensor and a number, with TT-NN's names and arguments.
//
// Shapes: equal, or with dimensions of 1 on either side, which are repeated (as in NumPy; the shorter shape
// is filled up with leading ones). dtype of the result: that of `a` unless given; which dtypes each operation
// takes: binary_dtypes.hpp. Layout: where only one is TILE, the other is tilized first.
// memory_config of the result: that of `a` unless given, or that of `b` where only `b` is sharded.
// output_tensor: written to instead of a new tensor, must have the result's shape. Activations: functions of
// each element, of the result (`activations`) or of an operand before they are combined. sub_core_grids: the
// cores that the program runs on, all unless given. All throw
// RuntimeError (shapes that don't broadcast, different devices, dtypes), OutOfMemoryError.

#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "runtime/compute/elementwise.hpp"
#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/core/optional_arguments.hpp"
#include "runtime/operations/core/scalar.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter {

using BinaryKind = compute::BinaryKind;
using Activations = std::vector<UnaryWithParam>;

/// The list, or an empty one.
const Activations& list_of(const std::optional<Activations>& activations);

/// The options that a call of one of them leaves open.
struct BinaryOptions {
    OptionalDataType dtype{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    Activations activations{};
    Activations left_activations{};
    Activations right_activations{};
    compute::BinaryParameters parameters{};  ///< of kIsClose
    bool fast = false;                       ///< quotients: times the reciprocal, less exactly
    OptionalCores sub_core_grids{};
};

/// As parts of other operations: without scopes of their own.
namespace unscoped {
Tensor binary(BinaryKind kind, const Tensor& a, const Tensor& b, const BinaryOptions& options = {});
Tensor binary(BinaryKind kind, const Tensor& a, Scalar b, const BinaryOptions& options = {});
Tensor binary(BinaryKind kind, Scalar a, const Tensor& b, const BinaryOptions& options = {});
Tensor add(const Tensor& a, const Tensor& b, const OptionalDataType& dtype = std::nullopt,
           const OptionalMemoryConfig& memory_config = std::nullopt);
Tensor multiply(const Tensor& a, float b, const OptionalMemoryConfig& memory_config = std::nullopt);
}  // namespace unscoped

/// None for none: Python would convert an empty list anew at each call.
using OptionalActivations = std::optional<Activations>;

/// The differences among operations of two operands.
struct BinaryRow : OperationRow {
    BinaryKind kind;
    const char* number_name = "input_tensor_b";  ///< of a number as the second operand
    bool fast = false;                           ///< the default of fast_and_approximate_mode
    const char* tensor_name = "input_tensor_b";
};

/// An operation of two operands, each a tensor or a number.
template <typename Left, typename Right>
struct Binary {
    using Row = BinaryRow;

    const Row* row = nullptr;
    Left input_tensor_a{};
    Right input_tensor_b{};
    OptionalDataType dtype{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalActivations activations{};
    OptionalActivations input_tensor_a_activations{};
    OptionalActivations input_tensor_b_activations{};
    bool fast_and_approximate_mode = false;  ///< changes nothing here
    OptionalCores sub_core_grids{};
    Ignored sub_device_id{};

    static constexpr const char* kDocumentation =
        "Element by element of a and b (a tensor or a number). Shapes: equal, or 1 on either side, which is "
        "repeated. dtype and place of the result: those of a unless given. Activations: functions of the "
        "result, of a or of b, applied on the way. sub_core_grids: the cores that the program runs on, all "
        "unless given.";
    static constexpr auto kParameters = parameters(
        required<&Binary::input_tensor_a>(),
        required<&Binary::input_tensor_b>().named_by(std::is_same_v<Right, Tensor> ? &Row::tensor_name
                                                                                   : &Row::number_name),
        keyword<&Binary::dtype, &Binary::memory_config>(), keyword<&Binary::output_tensor>().output(),
        keyword<&Binary::activations, &Binary::input_tensor_a_activations,
                &Binary::input_tensor_b_activations>(),
        keyword<&Binary::fast_and_approximate_mode>().default_by(&Row::fast).unrecorded(),
        keyword<&Binary::sub_core_grids, &Binary::sub_device_id>());
    auto recorded() const {
        return std::tie(input_tensor_a, input_tensor_b, dtype, memory_config, output_tensor,
                        list_of(activations), list_of(input_tensor_a_activations),
                        list_of(input_tensor_b_activations), sub_core_grids);
    }
    Tensor body() const;
};
using BinaryOfTensors = OperationOf<Binary<Tensor, Tensor>>;
using BinaryFunction = OperationOf<Binary<Tensor, Tensor>, Binary<Tensor, Scalar>>;
using NumberFirstBinaryFunction =
    OperationOf<Binary<Tensor, Tensor>, Binary<Tensor, Scalar>, Binary<Scalar, Tensor>>;

inline constexpr NumberFirstBinaryFunction add{"add", BinaryKind::kAdd, "input_tensor_b", true};
inline constexpr NumberFirstBinaryFunction subtract{"subtract", BinaryKind::kSubtract, "input_tensor_b",
                                                    true};
inline constexpr NumberFirstBinaryFunction multiply{"multiply", BinaryKind::kMultiply};
inline constexpr NumberFirstBinaryFunction divide{{"divide", "div"}, BinaryKind::kDivide};

inline constexpr const NumberFirstBinaryFunction* kNumberFirstBinaryFunctions[] = {&add, &subtract, &multiply,
                                                                                   &divide};

inline constexpr BinaryFunction eq{"eq", BinaryKind::kEqual};
inline constexpr BinaryFunction ne{"ne", BinaryKind::kNotEqual};
inline constexpr BinaryFunction gt{"gt", BinaryKind::kGreater};
inline constexpr BinaryFunction ge{"ge", BinaryKind::kGreaterOrEqual};
inline constexpr BinaryFunction lt{"lt", BinaryKind::kLess};
inline constexpr BinaryFunction le{"le", BinaryKind::kLessOrEqual};
inline constexpr BinaryFunction rsub{"rsub", BinaryKind::kReverseSubtract, "input_b", true};
inline constexpr BinaryFunction squared_difference{"squared_difference", BinaryKind::kSquaredDifference};
inline constexpr BinaryFunction logical_and{"logical_and", BinaryKind::kLogicalAnd};
inline constexpr BinaryFunction logical_or{"logical_or", BinaryKind::kLogicalOr};
inline constexpr BinaryFunction logical_xor{"logical_xor", BinaryKind::kLogicalXor};
inline constexpr BinaryFunction logaddexp{"logaddexp", BinaryKind::kLogAddExp};
inline constexpr BinaryFunction logaddexp2{"logaddexp2", BinaryKind::kLogAddExp2};
inline constexpr BinaryFunction ldexp{"ldexp", BinaryKind::kLdexp};
inline constexpr BinaryFunction bias_gelu{"bias_gelu", BinaryKind::kBiasGelu};
inline constexpr BinaryFunction xlogy{"xlogy", BinaryKind::kXlogy};
inline constexpr BinaryFunction remainder{"remainder", BinaryKind::kRemainder};
inline constexpr BinaryFunction fmod{"fmod", BinaryKind::kFmod, "scalar"};
inline constexpr BinaryFunction maximum{"maximum", BinaryKind::kMaximum, "input_b"};
inline constexpr BinaryFunction minimum{"minimum", BinaryKind::kMinimum, "input_b"};
inline constexpr BinaryFunction bitwise_and{"bitwise_and", BinaryKind::kBitwiseAnd, "input_b"};
inline constexpr BinaryFunction bitwise_or{"bitwise_or", BinaryKind::kBitwiseOr, "input_b"};
inline constexpr BinaryFunction bitwise_xor{"bitwise_xor", BinaryKind::kBitwiseXor, "input_b"};
inline constexpr BinaryFunction bitwise_left_shift{"bitwise_left_shift", BinaryKind::kLeftShift, "input_b"};
inline constexpr BinaryFunction bitwise_right_shift{"bitwise_right_shift", BinaryKind::kRightShift,
                                                    "input_b"};
inline constexpr BinaryFunction logical_left_shift{"logical_left_shift", BinaryKind::kLeftShift, "input_b"};
inline constexpr BinaryFunction logical_right_shift{"logical_right_shift", BinaryKind::kLogicalRightShift};

// clang-format off
inline constexpr const BinaryFunction* kBinaryFunctions[] = {
    &eq, &ne, &gt, &ge, &lt, &le, &rsub, &squared_difference, &logical_and, &logical_or, &logical_xor,
    &logaddexp, &logaddexp2, &ldexp, &bias_gelu, &xlogy, &remainder, &fmod, &maximum, &minimum, &bitwise_and,
    &bitwise_or, &bitwise_xor, &bitwise_left_shift, &bitwise_right_shift, &logical_left_shift,
    &logical_right_shift};
// clang-format on

inline constexpr BinaryOfTensors atan2{"atan2", BinaryKind::kAtan2};
inline constexpr BinaryOfTensors gcd{"gcd", BinaryKind::kGcd};
inline constexpr BinaryOfTensors hypot{"hypot", BinaryKind::kHypot};
inline constexpr BinaryOfTensors lcm{"lcm", BinaryKind::kLcm};
inline constexpr BinaryOfTensors nextafter{"nextafter", BinaryKind::kNextAfter};

/// Operations of which the result goes into the first operand, which is returned. It must have the result's
/// shape.
struct InPlaceBinaryRow : OperationRow {
    BinaryKind kind;
    const char* first_name = "input_a";
    const char* second_name = "input_b";
    bool fast = false;  ///< the default of fast_and_approximate_mode
};

template <typename Right>
struct InPlaceBinary {
    using Row = InPlaceBinaryRow;

    const Row* row = nullptr;
    Tensor a{};
    Right b{};
    OptionalActivations activations{};
    OptionalActivations input_tensor_a_activations{};
    OptionalActivations input_tensor_b_activations{};
    bool fast_and_approximate_mode = false;  ///< changes nothing here
    OptionalCores sub_core_grids{};
    Ignored sub_device_id{};

    static constexpr const char* kDocumentation =
        "Element by element of a and b (a tensor that fits a, or a number), written over a, which is given "
        "back; a's shape and dtype. Raises RuntimeError where b's shape would need a larger a.";
    static constexpr auto kParameters =
        parameters(required<&InPlaceBinary::a>("input_a").named_by(&Row::first_name),
                   required<&InPlaceBinary::b>("input_b").named_by(&Row::second_name),
                   unrecorded_keyword<&InPlaceBinary::activations, &InPlaceBinary::input_tensor_a_activations,
                                      &InPlaceBinary::input_tensor_b_activations>(),
                   keyword<&InPlaceBinary::fast_and_approximate_mode>().default_by(&Row::fast).unrecorded(),
                   keyword<&InPlaceBinary::sub_core_grids, &InPlaceBinary::sub_device_id>());
    Tensor body() const;
};
using InPlaceBinaryFunction = OperationOf<InPlaceBinary<Tensor>, InPlaceBinary<Scalar>>;

inline constexpr InPlaceBinaryFunction add_{"add_", BinaryKind::kAdd, "input_tensor_a", "input_tensor_b",
                                            true};
inline constexpr InPlaceBinaryFunction subtract_{"subtract_", BinaryKind::kSubtract, "input_tensor_a",
                                                 "input_tensor_b", true};
inline constexpr InPlaceBinaryFunction multiply_{"multiply_", BinaryKind::kMultiply};
inline constexpr InPlaceBinaryFunction divide_{"divide_", BinaryKind::kDivide};
inline constexpr InPlaceBinaryFunction eq_{"eq_", BinaryKind::kEqual};
inline constexpr InPlaceBinaryFunction ne_{"ne_", BinaryKind::kNotEqual};
inline constexpr InPlaceBinaryFunction gt_{"gt_", BinaryKind::kGreater};
inline constexpr InPlaceBinaryFunction ge_{"ge_", BinaryKind::kGreaterOrEqual};
inline constexpr InPlaceBinaryFunction lt_{"lt_", BinaryKind::kLess};
inline constexpr InPlaceBinaryFunction le_{"le_", BinaryKind::kLessOrEqual};
inline constexpr InPlaceBinaryFunction rsub_{"rsub_", BinaryKind::kReverseSubtract, "input_a", "input_b",
                                             true};
inline constexpr InPlaceBinaryFunction squared_difference_{"squared_difference_",
                                                           BinaryKind::kSquaredDifference};
inline constexpr InPlaceBinaryFunction logical_and_{"logical_and_", BinaryKind::kLogicalAnd};
inline constexpr InPlaceBinaryFunction logical_or_{"logical_or_", BinaryKind::kLogicalOr};
inline constexpr InPlaceBinaryFunction logical_xor_{"logical_xor_", BinaryKind::kLogicalXor};
inline constexpr InPlaceBinaryFunction logaddexp_{"logaddexp_", BinaryKind::kLogAddExp};
inline constexpr InPlaceBinaryFunction logaddexp2_{"logaddexp2_", BinaryKind::kLogAddExp2};
inline constexpr InPlaceBinaryFunction ldexp_{"ldexp_", BinaryKind::kLdexp};
inline constexpr InPlaceBinaryFunction bias_gelu_{"bias_gelu_", BinaryKind::kBiasGelu};

inline constexpr const InPlaceBinaryFunction* kInPlaceBinaryFunctions[] = {
    &add_,         &subtract_,   &multiply_,    &divide_,    &eq_,         &ne_,
    &gt_,          &ge_,         &lt_,          &le_,        &rsub_,       &squared_difference_,
    &logical_and_, &logical_or_, &logical_xor_, &logaddexp_, &logaddexp2_, &ldexp_,
    &bias_gelu_};

/// input_tensor ^ exponent.
struct PowerOfTensor {
    Tensor input_tensor{};
    float exponent = 1.0F;
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"pow", kUnaryDocumentation};
    static constexpr auto kParameters = parameters(
        required<&PowerOfTensor::input_tensor, &PowerOfTensor::exponent>(),
        keyword<&PowerOfTensor::memory_config>(), keyword<&PowerOfTensor::output_tensor>().output(),
        unrecorded_keyword<&PowerOfTensor::sub_core_grids>());
    Tensor body() const;
};

/// input_tensor ^ exponent of a number and a tensor.
struct PowerOfNumber {
    float input_tensor = 0.0F;
    Tensor exponent{};
    OptionalDataType dtype{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"pow", "A number to the power of each element."};
    static constexpr auto kParameters =
        parameters(required<&PowerOfNumber::input_tensor, &PowerOfNumber::exponent>(),
                   keyword<&PowerOfNumber::dtype, &PowerOfNumber::memory_config>(),
                   keyword<&PowerOfNumber::output_tensor>().output());
    Tensor body() const;
};
inline constexpr Overloaded<BinaryOfTensors, Operation<PowerOfTensor>, Operation<PowerOfNumber>> pow{
    {"pow", BinaryKind::kPower}, {}, {}};

inline constexpr const BinaryOfTensors* kBinariesOfTensors[] = {&atan2, &gcd, &hypot, &lcm, &nextafter, &pow};

}  // namespace tilemeter
