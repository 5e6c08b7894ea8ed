// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Gradients of functions of two and three elements: those of the inputs, from that of the result (`grad`) and
// the inputs, in the order of the inputs.
//
// Shapes and dtypes: all alike, floating point, TILE. Place of the gradients: memory_config, unless given
// that of the operands. are_required_outputs: for which inputs one is made. input_grad, other_grad: written
// to instead of new tensors. Values are torch's, with nan and infinities where torch has them. A gradient
// that is `grad` itself is the same tensor. All throw RuntimeError, OutOfMemoryError.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/backward_terms.hpp"
#include "runtime/operations/eltwise/unary_backward.hpp"

namespace tilemeter {

using RequiredOutputs = std::vector<bool>;

inline constexpr const char* kInputGradientsDocumentation =
    "The gradients of the inputs, in a list, from that of the result: shapes and dtypes alike, floating "
    "point, TILE. None where are_required_outputs says so. Place: memory_config, unless given that of the "
    "operands; given tensors are written to instead of new ones.";

/// The gradients of a function of two tensors.
struct BinaryGradient {
    using Formula = Gradients (*)(const Term& grad, const Term& a, const Term& b);
    struct Row : OperationRow {
        Formula formula;
    };

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    OptionalMemoryConfig memory_config{};

    static constexpr const char* kDocumentation = kInputGradientsDocumentation;
    static constexpr auto kParameters =
        parameters(required<&BinaryGradient::grad_tensor, &BinaryGradient::input_tensor_a,
                            &BinaryGradient::input_tensor_b>(),
                   keyword<&BinaryGradient::memory_config>());
    Gradients body() const;
};
using BinaryGradientFunction = OperationOf<BinaryGradient>;

/// The gradient of a function of a tensor and a number: one gradient, which is that of the result.
struct GradientBesideNumber {
    using Row = OperationRow;

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor{};
    float scalar = 0.0F;
    OptionalMemoryConfig memory_config{};

    static constexpr const char* kDocumentation = kInputGradientDocumentation;
    static constexpr auto kParameters = parameters(
        required<&GradientBesideNumber::grad_tensor>(),
        required<&GradientBesideNumber::input_tensor>("input_tensor_a"),
        required<&GradientBesideNumber::scalar>(), keyword<&GradientBesideNumber::memory_config>());
    Gradients body() const;
};
using GradientBesideNumberFunction = OperationOf<GradientBesideNumber>;

/// max, min: half each where both are equal.
extern const BinaryGradientFunction atan2_bw, hypot_bw, ldexp_bw, logaddexp_bw, logaddexp2_bw, max_bw, min_bw,
    squared_difference_bw, xlogy_bw;
extern const Overloaded<BinaryGradientFunction, GradientBesideNumberFunction> fmod_bw, remainder_bw;
std::span<const BinaryGradientFunction* const> binary_gradients();
std::span<const GradientBesideNumberFunction* const> gradients_beside_numbers();

struct GradientPair;

/// The gradients of a function of two tensors; gradients can be left out or written into given tensors.
struct PairGradient {
    using Formula = void (*)(GradientPair& call);
    struct Row : OperationRow {
        Formula formula;
        // TT-NN's names for the operands and their gradients.
        const char* input = "input_tensor";
        const char* other = "other_tensor";
        const char* input_grad = "input_grad";
        const char* other_grad = "other_grad";
    };

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor{};
    Tensor other_tensor{};
    RequiredOutputs are_required_outputs = {true, true};
    OptionalMemoryConfig memory_config{};
    OptionalTensor input_grad{};
    OptionalTensor other_grad{};

    static constexpr const char* kDocumentation = kInputGradientsDocumentation;
    static constexpr auto kParameters = parameters(
        required<&PairGradient::grad_tensor>(), required<&PairGradient::input_tensor>().named_by(&Row::input),
        required<&PairGradient::other_tensor>().named_by(&Row::other),
        unrecorded_keyword<&PairGradient::are_required_outputs>(), keyword<&PairGradient::memory_config>(),
        keyword<&PairGradient::input_grad>().output().named_by(&Row::input_grad).unrecorded(),
        keyword<&PairGradient::other_grad>().output().named_by(&Row::other_grad).unrecorded());
    Gradients body() const;
};
using PairGradientFunction = OperationOf<PairGradient>;

/// The gradient of a function of a tensor and a number; the gradient can be written into a given tensor.
struct GradientBesideNumberInto {
    using Formula = Gradients (*)(const Term& grad, const Term& input, float scalar,
                                  const OptionalTensor& input_grad);
    struct Row : OperationRow {
        Formula formula;
    };

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor{};
    float scalar = 0.0F;
    OptionalMemoryConfig memory_config{};
    OptionalTensor input_grad{};

    static constexpr const char* kDocumentation = kInputGradientDocumentation;
    static constexpr auto kParameters = parameters(
        required<&GradientBesideNumberInto::grad_tensor>(),
        required<&GradientBesideNumberInto::input_tensor>("input_tensor_a"),
        required<&GradientBesideNumberInto::scalar>(), keyword<&GradientBesideNumberInto::memory_config>(),
        unrecorded_keyword<&GradientBesideNumberInto::input_grad>().output());
    Gradients body() const;
};
using GradientBesideNumberIntoFunction = OperationOf<GradientBesideNumberInto>;

extern const Overloaded<PairGradientFunction, GradientBesideNumberIntoFunction> add_bw, mul_bw, sub_bw;
extern const PairGradientFunction rsub_bw;
std::span<const PairGradientFunction* const> pair_gradients();
std::span<const GradientBesideNumberIntoFunction* const> gradients_beside_numbers_into();

/// The gradient of a copy.
struct AssignGradient {
    Tensor grad_tensor{};
    Tensor input_tensor{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor input_grad{};

    static constexpr OperationInfo kOperation{"assign_bw", kInputGradientDocumentation};
    static constexpr auto kParameters =
        parameters(required<&AssignGradient::grad_tensor, &AssignGradient::input_tensor>(),
                   keyword<&AssignGradient::memory_config>(),
                   keyword<&AssignGradient::input_grad>("input_a_grad").output().unrecorded());
    Gradients body() const;
};
extern const Overloaded<PairGradientFunction, Operation<AssignGradient>> assign_bw;

/// The gradients of a + alpha * b, a - alpha * b.
struct AlphaGradient {
    using Formula = void (*)(GradientPair& call, float alpha);
    struct Row : OperationRow {
        Formula formula;
        const char* input_grad;
        const char* other_grad;
    };

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    float alpha = 1.0F;
    RequiredOutputs are_required_outputs = {true, true};
    OptionalMemoryConfig memory_config{};
    OptionalTensor input_grad{};
    OptionalTensor other_grad{};

    static constexpr const char* kDocumentation = kInputGradientsDocumentation;
    static constexpr auto kParameters = parameters(
        required<&AlphaGradient::grad_tensor, &AlphaGradient::input_tensor_a,
                 &AlphaGradient::input_tensor_b>(),
        optional<&AlphaGradient::alpha>(), unrecorded_keyword<&AlphaGradient::are_required_outputs>(),
        keyword<&AlphaGradient::memory_config>(),
        keyword<&AlphaGradient::input_grad>().output().named_by(&Row::input_grad).unrecorded(),
        keyword<&AlphaGradient::other_grad>().output().named_by(&Row::other_grad).unrecorded());
    Gradients body() const;
};
extern const OperationOf<AlphaGradient> addalpha_bw, subalpha_bw;

/// The gradients of a / b; zeros where the quotient is rounded.
struct DivideGradient {
    Tensor grad_tensor{};
    Tensor input_tensor{};
    Tensor other_tensor{};
    std::optional<std::string> rounding_mode{};
    RequiredOutputs are_required_outputs = {true, true};
    OptionalMemoryConfig memory_config{};
    OptionalTensor input_grad{};
    OptionalTensor other_grad{};

    static constexpr OperationInfo kOperation{"div_bw", kInputGradientsDocumentation};
    static constexpr auto kParameters =
        parameters(required<&DivideGradient::grad_tensor, &DivideGradient::input_tensor,
                            &DivideGradient::other_tensor>(),
                   keyword<&DivideGradient::rounding_mode>(),
                   unrecorded_keyword<&DivideGradient::are_required_outputs>(),
                   keyword<&DivideGradient::memory_config>(),
                   unrecorded_keyword<&DivideGradient::input_grad, &DivideGradient::other_grad>().output());
    Gradients body() const;
};

struct DivideByNumberGradient {
    Tensor grad_tensor{};
    Tensor input_tensor{};
    float scalar = 1.0F;
    std::optional<std::string> rounding_mode{};
    OptionalMemoryConfig memory_config{};
    OptionalTensor input_grad{};

    static constexpr OperationInfo kOperation{"div_bw", kInputGradientDocumentation};
    static constexpr auto kParameters = parameters(
        required<&DivideByNumberGradient::grad_tensor>(),
        required<&DivideByNumberGradient::input_tensor>("input_tensor_a"),
        required<&DivideByNumberGradient::scalar>(), optional<&DivideByNumberGradient::rounding_mode>(),
        keyword<&DivideByNumberGradient::memory_config>(),
        unrecorded_keyword<&DivideByNumberGradient::input_grad>().output());
    Gradients body() const;
};
inline constexpr Overloaded<Operation<DivideGradient>, Operation<DivideByNumberGradient>> div_bw;

/// The operand as scopes list it where it may be a number: the tensor, if it is one.
inline std::tuple<const Tensor&> as_recorded(const Tensor& tensor) {
    return {tensor};
}
inline std::tuple<OptionalTensor> as_recorded(float /*number*/) {
    return {};
}

/// The gradients of gelu(input + bias): the same for both. A number has no gradient. `Mode`: a GeluVariant, or its
/// name.
template <typename Bias, typename Mode>
struct BiasGeluGradient {
    Tensor grad_tensor{};
    Tensor input_tensor{};
    Bias bias{};
    Mode mode{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"bias_gelu_bw", kInputGradientsDocumentation};
    static constexpr auto kParameters = parameters(
        required<&BiasGeluGradient::grad_tensor>(),
        required<&BiasGeluGradient::input_tensor>(std::is_same_v<Bias, Tensor> ? "input_tensor_a"
                                                                               : "input_tensor"),
        required<&BiasGeluGradient::bias>(std::is_same_v<Bias, Tensor> ? "input_tensor_b" : "bias"),
        std::is_same_v<Mode, GeluVariant> ? keyword<&BiasGeluGradient::mode>("variant")
                                          : required_keyword<&BiasGeluGradient::mode>("approximate"),
        keyword<&BiasGeluGradient::memory_config>());
    auto recorded() const {
        return std::tuple_cat(std::tie(grad_tensor, input_tensor), as_recorded(bias),
                              std::tie(memory_config));
    }
    Gradients body() const;
};

inline constexpr Overloaded<Operation<BiasGeluGradient<Tensor, GeluVariant>>,
                            Operation<BiasGeluGradient<float, GeluVariant>>>
    bias_gelu_bw;

/// The gradients of a + alpha * b * c, a + alpha * b / c.
struct TernaryGradient {
    using Formula = Gradients (*)(const Term& grad, const Term& b, const Term& c, float alpha);
    struct Row : OperationRow {
        Formula formula;
    };

    const Row* row = nullptr;
    Tensor grad_tensor{};
    Tensor input_tensor_a{};
    Tensor input_tensor_b{};
    Tensor input_tensor_c{};
    float alpha = 1.0F;
    OptionalMemoryConfig memory_config{};

    static constexpr const char* kDocumentation = kInputGradientsDocumentation;
    static constexpr auto kParameters =
        parameters(required<&TernaryGradient::grad_tensor, &TernaryGradient::input_tensor_a,
                            &TernaryGradient::input_tensor_b, &TernaryGradient::input_tensor_c,
                            &TernaryGradient::alpha>(),
                   keyword<&TernaryGradient::memory_config>());
    Gradients body() const;
};
extern const OperationOf<TernaryGradient> addcmul_bw, addcdiv_bw;

/// The gradients of input + weight * (end - input); a weight that is a number has no gradient.
template <typename Weight>
struct LerpGradient {
    Tensor grad_tensor{};
    Tensor input_tensor{};
    Tensor end{};
    Weight weight{};
    OptionalMemoryConfig memory_config{};

    static constexpr OperationInfo kOperation{"lerp_bw", kInputGradientsDocumentation};
    static constexpr auto kParameters = parameters(
        required<&LerpGradient::grad_tensor>(), required<&LerpGradient::input_tensor>("input_tensor_a"),
        required<&LerpGradient::end>("input_tensor_b"),
        required<&LerpGradient::weight>(std::is_same_v<Weight, Tensor> ? "input_tensor_c" : "scalar"),
        keyword<&LerpGradient::memory_config>());
    auto recorded() const {
        return std::tuple_cat(std::tie(grad_tensor, input_tensor, end), as_recorded(weight),
                              std::tie(memory_config));
    }
    Gradients body() const;
};
inline constexpr Overloaded<Operation<LerpGradient<Tensor>>, Operation<LerpGradient<float>>> lerp_bw;

/// The gradients of the two tensors that where() chooses from.
struct WhereGradient {
    Tensor grad_tensor{};
    Tensor condition{};
    Tensor input_tensor{};
    Tensor other_tensor{};
    OptionalMemoryConfig memory_config{};
    RequiredOutputs are_required_outputs = {true, true};
    OptionalTensor input_grad{};
    OptionalTensor other_grad{};

    static constexpr OperationInfo kOperation{"where_bw", kInputGradientsDocumentation};
    static constexpr auto kParameters = parameters(
        required<&WhereGradient::grad_tensor>(), required<&WhereGradient::condition>("input_tensor_a"),
        required<&WhereGradient::input_tensor>("input_tensor_b"),
        required<&WhereGradient::other_tensor>("input_tensor_c"),
        keyword<&WhereGradient::memory_config, &WhereGradient::are_required_outputs>(),
        keyword<&WhereGradient::input_grad>("input_a_grad").output(),
        keyword<&WhereGradient::other_grad>("input_b_grad").output());
    auto recorded() const {
        return std::tie(grad_tensor, input_tensor, other_tensor, condition, memory_config);
    }
    Gradients body() const;
};
inline constexpr Operation<WhereGradient> where_bw;

}  // namespace tilemeter
