// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Complex tensors, each a pair of tensors on a device, and TT-NN's operations of them with their gradients.
//
// Shapes and dtypes: real and imaginary parts alike, floating point. Place of the results: memory_config, which abs,
// reciprocal and the gradients but those of sums want, unless given that of the operands. As in TT-NN a recorded scope
// lists neither the arguments nor the results of these operations. They are not traced as functions: TracingError.
//
// Gradients are torch's: the conjugate of the derivative, times that of the result. All throw RuntimeError,
// OutOfMemoryError.

#pragma once

#include <type_traits>
#include <vector>

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/eltwise/backward_terms.hpp"

namespace tilemeter {

struct ComplexTensor {
    Tensor real{};
    Tensor imag{};

    std::vector<Tensor> tensors() const { return {real, imag}; }
};

using ComplexTensors = std::vector<ComplexTensor>;

struct MakeComplexTensor {
    Tensor real{};
    Tensor imag{};

    static constexpr OperationInfo kOperation{
        "complex_tensor", "A complex tensor of its real and its imaginary part, which it shares."};
    static constexpr auto kParameters =
        parameters(required<&MakeComplexTensor::real, &MakeComplexTensor::imag>().unrecorded());
    ComplexTensor call() const;
};
inline constexpr Operation<MakeComplexTensor> complex_tensor;

/// The keyword memory_config: a caller must give a MemoryConfig, and may give an OptionalMemoryConfig.
template <auto kMember, typename Place>
constexpr auto place_of_complex() {
    return (std::is_same_v<Place, MemoryConfig> ? required_keyword<kMember>() : keyword<kMember>())
        .unrecorded();
}

template <typename Result>
struct FunctionOfComplexRow : OperationRow {
    Result (*formula)(const ComplexTensor& x, const OptionalMemoryConfig& place);
};

/// A function of a complex tensor: real (a Tensor), or complex.
template <typename Result, typename Place>
struct FunctionOfComplex {
    using Row = FunctionOfComplexRow<Result>;

    const Row* row = nullptr;
    ComplexTensor input_tensor{};
    Place memory_config{};

    static constexpr auto kParameters =
        parameters(required<&FunctionOfComplex::input_tensor>().unrecorded(),
                   place_of_complex<&FunctionOfComplex::memory_config, Place>());
    Result call() const;
};

/// In Python without "complex_". real, imag: the part itself, or a copy where memory_config is another place. is_real,
/// is_imag: 1 where the other part is 0.
extern const OperationOf<FunctionOfComplex<Tensor, OptionalMemoryConfig>> complex_real, complex_imag,
    complex_is_real, complex_is_imag, complex_angle;
extern const OperationOf<FunctionOfComplex<Tensor, MemoryConfig>> complex_abs;
/// polar: of the absolute value (real) and the angle (imag).
extern const OperationOf<FunctionOfComplex<ComplexTensor, OptionalMemoryConfig>> complex_conj, complex_polar;
extern const OperationOf<FunctionOfComplex<ComplexTensor, MemoryConfig>> complex_reciprocal;

/// Gradient of a real function of a complex tensor (`Grad`: a Tensor), or of a complex one.
template <typename Grad>
struct GradientOfComplex {
    struct Row : OperationRow {
        ComplexTensor (*formula)(const Grad& grad, const ComplexTensor& x, const OptionalMemoryConfig& place);
    };

    const Row* row = nullptr;
    Grad grad_tensor{};
    ComplexTensor input_tensor{};
    MemoryConfig memory_config{};

    static constexpr const char* kDocumentation =
        "The gradient of a complex input, in a list, from that of the result, at the place memory_config.";
    static constexpr auto kParameters =
        parameters(required<&GradientOfComplex::grad_tensor, &GradientOfComplex::input_tensor>().unrecorded(),
                   required_keyword<&GradientOfComplex::memory_config>().unrecorded());
    ComplexTensors call() const;
};

/// angle, abs: 0 where the input is.
extern const OperationOf<GradientOfComplex<Tensor>> complex_real_bw, complex_imag_bw, complex_angle_bw,
    complex_abs_bw;
/// reciprocal: nan where the input is 0.
extern const OperationOf<GradientOfComplex<ComplexTensor>> complex_conj_bw, complex_polar_bw,
    complex_reciprocal_bw;

/// Gradients of sum and difference, of which the second operand was multiplied by alpha.
struct ComplexSumGradient {
    using Formula = ComplexTensors (*)(const ComplexTensor& grad, float alpha,
                                       const OptionalMemoryConfig& place);
    struct Row : OperationRow {
        Formula formula;
    };

    const Row* row = nullptr;
    ComplexTensor grad_tensor{};
    ComplexTensor input_tensor_a{};
    ComplexTensor input_tensor_b{};
    float alpha = 1.0F;
    OptionalMemoryConfig memory_config{};

    static constexpr const char* kDocumentation =
        "The gradients of two complex inputs, in a list, from that of the result; the second input was multiplied by "
        "alpha. The first gradient is grad_tensor itself.";
    static constexpr auto kParameters =
        parameters(required<&ComplexSumGradient::grad_tensor, &ComplexSumGradient::input_tensor_a,
                            &ComplexSumGradient::input_tensor_b, &ComplexSumGradient::alpha>()
                       .unrecorded(),
                   unrecorded_keyword<&ComplexSumGradient::memory_config>());
    ComplexTensors call() const;
};
using ComplexSumGradientFunction = OperationOf<ComplexSumGradient>;

extern const ComplexSumGradientFunction complex_add_bw, complex_sub_bw;

/// Gradients of product and quotient.
struct ComplexProductGradient {
    using Formula = ComplexTensors (*)(const ComplexTensor& grad, const ComplexTensor& a,
                                       const ComplexTensor& b, const OptionalMemoryConfig& place);
    struct Row : OperationRow {
        Formula formula;
    };

    const Row* row = nullptr;
    ComplexTensor grad_tensor{};
    ComplexTensor input_tensor_a{};
    ComplexTensor input_tensor_b{};
    MemoryConfig memory_config{};

    static constexpr const char* kDocumentation =
        "The gradients of two complex inputs, in a list, from that of the result.";
    static constexpr auto kParameters =
        parameters(required<&ComplexProductGradient::grad_tensor, &ComplexProductGradient::input_tensor_a,
                            &ComplexProductGradient::input_tensor_b>()
                       .unrecorded(),
                   required_keyword<&ComplexProductGradient::memory_config>().unrecorded());
    ComplexTensors call() const;
};
using ComplexProductGradientFunction = OperationOf<ComplexProductGradient>;

/// div: nan where the divisor is 0.
extern const ComplexProductGradientFunction complex_mul_bw, complex_div_bw;

}  // namespace tilemeter
