// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Elementwise operations that are made of others, and those of three operands, with TT-NN's names, arguments
// and defaults. Shapes, dtypes, layouts and errors: as in binary.hpp and unary.hpp, of which they are made;
// operands of three-operand operations are TILE. sub_core_grids: as in unary.hpp. dtype and, unless given,
// memory_config of the result: those of the first tensor.

#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/where.hpp"

namespace tilemeter {

/// a / b, rounded: rounding_mode "floor", "trunc" or none. Integers (INT32) with a rounding mode give
/// integers. fast_and_approximate_mode: a * (1 / b) on the device.
template <typename Left, typename Right>
struct Divide {
    Left input_tensor_a{};
    Right input_tensor_b{};
    bool fast_and_approximate_mode = false;
    std::optional<std::string> rounding_mode{};
    OptionalDataType dtype{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    Activations activations{};
    Activations input_tensor_a_activations{};
    Activations input_tensor_b_activations{};
    OptionalCores sub_core_grids{};
    Ignored sub_device_id{};

    static constexpr OperationInfo kOperation{"div", "a / b; rounding_mode: None, 'floor' or 'trunc'.",
                                              "divide"};
    static constexpr auto kParameters = parameters(
        required<&Divide::input_tensor_a>(),
        required<&Divide::input_tensor_b>(std::is_same_v<Right, Tensor> ? "input_tensor_b" : "value"),
        unrecorded_keyword<&Divide::fast_and_approximate_mode>(),
        keyword<&Divide::rounding_mode, &Divide::dtype, &Divide::memory_config>(),
        keyword<&Divide::output_tensor>().output(),
        unrecorded_keyword<&Divide::activations, &Divide::input_tensor_a_activations,
                           &Divide::input_tensor_b_activations>(),
        keyword<&Divide::sub_core_grids, &Divide::sub_device_id>());
    Tensor body() const;
};
inline constexpr Overloaded<Operation<Divide<Tensor, Tensor>>, Operation<Divide<Tensor, Scalar>>,
                            Operation<Divide<Scalar, Tensor>>>
    div;

/// floor(a / b); infinite where a / b is.
template <typename Right>
struct FloorDivide {
    Tensor input_tensor_a{};
    Right input_tensor_b{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"floor_div", "floor(a / b)."};
    static constexpr auto kParameters = parameters(
        required<&FloorDivide::input_tensor_a>(),
        required<&FloorDivide::input_tensor_b>(std::is_same_v<Right, Tensor> ? "input_tensor_b" : "value"),
        keyword<&FloorDivide::memory_config>());
    Tensor body() const;
};
inline constexpr Overloaded<Operation<FloorDivide<Tensor>>, Operation<FloorDivide<Scalar>>> floor_div;

/// a / b; 0 where b is 0.
template <typename Right>
struct DivideNoNan {
    Tensor input_tensor_a{};
    Right input_tensor_b{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"div_no_nan", "a / b; 0 where b is 0."};
    static constexpr auto kParameters = parameters(
        required<&DivideNoNan::input_tensor_a>(),
        required<&DivideNoNan::input_tensor_b>(std::is_same_v<Right, Tensor> ? "input_tensor_b" : "value"),
        keyword<&DivideNoNan::memory_config>());
    Tensor body() const;
};
inline constexpr Overloaded<Operation<DivideNoNan<Tensor>>, Operation<DivideNoNan<Scalar>>> div_no_nan;

struct IsClose {
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    float rtol = 1e-05F;
    float atol = 1e-08F;
    bool equal_nan = false;
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"isclose", "1 where |a - b| <= atol + rtol * |b|, else 0."};
    static constexpr auto kParameters =
        parameters(required<&IsClose::input_tensor_a, &IsClose::input_tensor_b>(),
                   keyword<&IsClose::rtol, &IsClose::atol, &IsClose::equal_nan, &IsClose::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<IsClose> isclose;

/// a + alpha * b, a - alpha * b.
struct AddAlpha {
    struct Row : OperationRow {
        BinaryKind kind;
    };

    const Row* row = nullptr;
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    float alpha = 1.0F;
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr auto kParameters =
        parameters(required<&AddAlpha::input_tensor_a, &AddAlpha::input_tensor_b, &AddAlpha::alpha>(),
                   keyword<&AddAlpha::memory_config>(), keyword<&AddAlpha::output_tensor>().output());
    Tensor body() const;
};
inline constexpr OperationOf<AddAlpha> addalpha{"addalpha", "a + alpha * b.", BinaryKind::kAdd};
inline constexpr OperationOf<AddAlpha> subalpha{"subalpha", "a - alpha * b.", BinaryKind::kSubtract};

struct Polyval {
    Tensor input_tensor_a{};
    std::vector<float> coeffs{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{
        "polyval", "The polynomial with those coefficients, that of the highest power first."};
    static constexpr auto kParameters = parameters(required<&Polyval::input_tensor_a, &Polyval::coeffs>(),
                                                   keyword<&Polyval::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<Polyval> polyval;

struct Lerp {
    Tensor input{};
    Tensor end{};
    TensorOrNumber weight{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"lerp", "input + weight * (end - input)."};
    static constexpr auto kParameters =
        parameters(required<&Lerp::input, &Lerp::end, &Lerp::weight>(), keyword<&Lerp::memory_config>(),
                   keyword<&Lerp::output_tensor>().output());
    Tensor body() const;
};
inline constexpr Operation<Lerp> lerp;

struct Mac {
    Tensor input_tensor_a{};
    TensorOrNumber input_tensor_b{};
    TensorOrNumber input_tensor_c{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};
    OptionalCores sub_core_grids{};

    static constexpr OperationInfo kOperation{"mac", "a * b + c; b and c are tensors or numbers."};
    static constexpr auto kParameters =
        parameters(required<&Mac::input_tensor_a, &Mac::input_tensor_b, &Mac::input_tensor_c>(),
                   keyword<&Mac::memory_config>(), keyword<&Mac::output_tensor>().output(),
                   keyword<&Mac::sub_core_grids>());
    auto recorded() const {
        return std::tuple_cat(std::tie(input_tensor_a),
                              std::tuple(tensor_of(input_tensor_b), number_of(input_tensor_b).value_or(0.0F),
                                         tensor_of(input_tensor_c), number_of(input_tensor_c).value_or(0.0F)),
                              std::tie(memory_config, output_tensor, sub_core_grids));
    }
    Tensor body() const;
};
inline constexpr Operation<Mac> mac;

/// a + value * b * c, a + value * b / c.
struct AddTerm {
    struct Row : OperationRow {
        bool quotient;
    };

    const Row* row = nullptr;
    Tensor input_a{};
    Tensor input_b{};
    Tensor input_c{};
    float value = 1.0F;
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr auto kParameters = parameters(
        required<&AddTerm::input_a, &AddTerm::input_b, &AddTerm::input_c>(),
        keyword<&AddTerm::value, &AddTerm::memory_config>(), keyword<&AddTerm::output_tensor>().output());
    Tensor body() const;
};
inline constexpr OperationOf<AddTerm> addcmul{"addcmul", "a + value * b * c.", false};
inline constexpr OperationOf<AddTerm> addcdiv{"addcdiv", "a + value * b / c.", true};

/// alpha and beta: the shape of the input, or one number for each of its columns. BFLOAT16 or FLOAT32, all of
/// one dtype.
struct SnakeBeta {
    Tensor input_tensor{};
    Tensor alpha{};
    Tensor beta{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor output_tensor{};

    static constexpr OperationInfo kOperation{"snake_beta",
                                              "x + sin(alpha * x)^2 / beta: the activation of BigVGAN."};
    static constexpr auto kParameters =
        parameters(required<&SnakeBeta::input_tensor, &SnakeBeta::alpha, &SnakeBeta::beta>(),
                   keyword<&SnakeBeta::memory_config, &SnakeBeta::output_tensor>());
    Tensor body() const;
};
inline constexpr Operation<SnakeBeta> snake_beta;

/// The first half of the last dimension times a function of the second: sigmoid, relu, silu. `dim`: the last;
/// it must be made of 64 * n columns.
struct GatedLinearUnit {
    struct Row : OperationRow {
        UnaryOpType gate;
    };

    const Row* row = nullptr;
    Tensor input_tensor{};
    int dim = -1;
    OptionalMemoryConfig memory_config{};

    static constexpr const char* kDocumentation =
        "The first half of the last dimension times a function of the second: sigmoid (glu), relu (reglu), "
        "gelu (geglu), silu (swiglu).";
    static constexpr auto kParameters =
        parameters(required<&GatedLinearUnit::input_tensor>(), optional<&GatedLinearUnit::dim>(),
                   keyword<&GatedLinearUnit::memory_config>());
    Tensor body() const;
};
using GatedFunction = OperationOf<GatedLinearUnit>;

inline constexpr GatedFunction glu{"glu", UnaryOpType::SIGMOID};
inline constexpr GatedFunction reglu{"reglu", UnaryOpType::RELU};
inline constexpr GatedFunction swiglu{"swiglu", UnaryOpType::SILU};

inline constexpr const GatedFunction* kGatedFunctions[] = {&glu, &reglu, &swiglu};

struct Geglu {
    Tensor input_tensor{};
    int dim = -1;
    OptionalMemoryConfig memory_config{};
    GeluVariant variant = GeluVariant::Accurate;

    static constexpr OperationInfo kOperation{"geglu", GatedLinearUnit::kDocumentation};
    static constexpr auto kParameters =
        parameters(required<&Geglu::input_tensor>(), optional<&Geglu::dim>(),
                   keyword<&Geglu::memory_config>(), unrecorded_keyword<&Geglu::variant>());
    Tensor body() const;
};
inline constexpr Operation<Geglu> geglu;

struct ClampedSiluGlu {
    Tensor gate{};
    Tensor up{};
    float limit = 1.0F;
    OptionalMemoryConfig memory_config{};
    OptionalCores sub_core_grids{};
    Ignored sub_device_id{};

    static constexpr OperationInfo kOperation{"clamped_silu_glu",
                                              "silu(min(gate, limit)) * clamp(up, -limit, limit)."};
    static constexpr auto kParameters =
        parameters(required<&ClampedSiluGlu::gate, &ClampedSiluGlu::up, &ClampedSiluGlu::limit>(),
                   keyword<&ClampedSiluGlu::memory_config, &ClampedSiluGlu::sub_core_grids,
                           &ClampedSiluGlu::sub_device_id>());
    Tensor body() const;
};
inline constexpr Operation<ClampedSiluGlu> clamped_silu_glu;

struct Multigammaln {
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{
        "multigammaln", "The logarithm of the multivariate gamma function of four dimensions."};
    static constexpr auto kParameters =
        parameters(required<&Multigammaln::input_tensor>(), keyword<&Multigammaln::memory_config>());
    Tensor body() const;
};
inline constexpr Operation<Multigammaln> multigammaln;

}  // namespace tilemeter
