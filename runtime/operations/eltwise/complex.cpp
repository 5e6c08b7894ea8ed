// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/complex.hpp"

#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "runtime/device/call_recorder.hpp"
#include "runtime/operations/core/call_watcher.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/eltwise/internal/gradient_scope.hpp"

namespace tilemeter {

namespace {

using enum compute::UnaryKind;
using compute::BinaryKind;

// The formulas keep the order of TT-NN's steps, and with it that of allocations; what is dropped by name is freed there.

struct ComplexTerm {
    ComplexTerm(Term of_real, Term of_imag) : real(std::move(of_real)), imag(std::move(of_imag)) {}
    ComplexTerm(const ComplexTensor& x, const OptionalMemoryConfig& place)
        : real(x.real, place), imag(x.imag, place) {}

    ComplexTensor take() && { return {std::move(real).take(), std::move(imag).take()}; }
    void become(ComplexTerm other) {
        real = std::move(other.real);
        imag = std::move(other.imag);
    }
    void drop_real_first() {
        real.drop();
        imag.drop();
    }
    void drop_imag_first() {
        imag.drop();
        real.drop();
    }

    Term real;
    Term imag;
};

Term sum_of_products(const Term& a, const Term& b, const Term& c, const Term& d) {
    const Term left = a * b, right = c * d;
    return left + right;
}

Term difference_of_products(const Term& a, const Term& b, const Term& c, const Term& d) {
    const Term left = a * b, right = c * d;
    return left - right;
}

// a times (real, imag).
ComplexTerm product(const ComplexTerm& a, const Term& real, const Term& imag) {
    Term of_real = difference_of_products(a.real, real, a.imag, imag);
    Term of_imag = sum_of_products(a.real, imag, a.imag, real);
    return {std::move(of_real), std::move(of_imag)};
}

ComplexTerm inverse(const ComplexTerm& x) {
    // TT-NN makes a sum and a difference that it does not use.
    const Term sum = x.real + x.imag, difference = x.real - x.imag;
    const Term square = [&] {
        const Term of_real = x.real(SQUARE), of_imag = x.imag(SQUARE);
        return of_real + of_imag;
    }();
    const Term factor = square(RECIP);
    Term imag = [&] {
        const Term negative = x.imag(NEG);
        return negative * factor;
    }();
    Term real = x.real * factor;
    return {std::move(real), std::move(imag)};
}

Term is_zero(const ComplexTerm& x) {
    const Term of_real = x.real(EQZ), of_imag = x.imag(EQZ);
    return of_real.both(of_imag);
}

ComplexTerm negated(const ComplexTerm& x) {
    Term real = x.real(NEG);
    Term imag = x.imag(NEG);
    return {std::move(real), std::move(imag)};
}

// Nan where `condition` is not 0.
ComplexTerm with_nan(const Term& condition, const ComplexTerm& x) {
    Term real = condition.where({kNan, x.real});
    Term imag = condition.where({kNan, x.imag});
    return {std::move(real), std::move(imag)};
}

/// The functions.
namespace of_complex {

Tensor placed(const Tensor& part, const OptionalMemoryConfig& place) {
    return place ? unscoped::to_memory_config(part, *place) : part;
}

Tensor real(const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return placed(x.real, place);
}

Tensor imag(const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return placed(x.imag, place);
}

Tensor is_real(const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return Term(x.imag, place)(EQZ).take();
}

Tensor is_imag(const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return Term(x.real, place)(EQZ).take();
}

Tensor angle(const ComplexTensor& given, const OptionalMemoryConfig& place) {
    const ComplexTerm x(given, place);
    return x.imag.with(BinaryKind::kAtan2, x.real).take();
}

Term magnitude(const ComplexTerm& x) {
    return x.real.with(BinaryKind::kHypot, x.imag);
}

Tensor abs(const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return magnitude({x, place}).take();
}

ComplexTensor conj(const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return {x.real, Term(x.imag, place)(NEG).take()};
}

ComplexTensor reciprocal(const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return inverse({x, place}).take();
}

ComplexTerm from_polar(const ComplexTerm& x) {
    Term real = [&] {
        const Term cosine = x.imag(COS);
        return x.real * cosine;
    }();
    Term imag = [&] {
        const Term sine = x.imag(SIN);
        return x.real * sine;
    }();
    return {std::move(real), std::move(imag)};
}

ComplexTensor polar(const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return from_polar({x, place}).take();
}

ComplexTensor real_bw(const Tensor& grad, const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return {grad, Term(x.real, place).filled(0.0F).take()};
}

ComplexTensor imag_bw(const Tensor& grad, const ComplexTensor& x, const OptionalMemoryConfig& place) {
    return {Term(x.real, place).filled(0.0F).take(), grad};
}

ComplexTensor angle_bw(const Tensor& given, const ComplexTensor& of, const OptionalMemoryConfig& place) {
    const Term grad(given, place);
    const ComplexTerm x(of, place);
    Term zero = is_zero(x);
    Term factor = [&] {
        const Term of_real = x.real(SQUARE), of_imag = x.imag(SQUARE), square = of_real + of_imag;
        return square(RECIP);
    }();
    Term real = [&] {
        const Term negative = x.imag(NEG), share = negative * factor, result = grad * share;
        return zero.where({0.0F, result});
    }();
    Term imag = [&] {
        const Term share = x.real * factor, result = grad * share;
        return zero.where({0.0F, result});
    }();
    zero.drop();
    factor.drop();
    return ComplexTerm(std::move(real), std::move(imag)).take();
}

// part / magnitude, times `grad` where there is one; 0 where the magnitude is.
Term share_of(const Term& part, const Term& magnitude, const Term* grad) {
    const Term zero = magnitude(EQZ), factor = magnitude(RECIP), share = part * factor;
    if (grad == nullptr) return zero.where({0.0F, share});
    const Term result = *grad * share;
    return zero.where({0.0F, result});
}

ComplexTensor abs_bw(const Tensor& given, const ComplexTensor& of, const OptionalMemoryConfig& place) {
    const Term grad(given, place);
    const ComplexTerm x(of, place);
    const Term size = magnitude(x);
    Term real = share_of(x.real, size, &grad);
    Term imag = share_of(x.imag, size, &grad);
    return ComplexTerm(std::move(real), std::move(imag)).take();
}

ComplexTensor conj_bw(const ComplexTensor& grad, const ComplexTensor& /*x*/,
                      const OptionalMemoryConfig& place) {
    return conj(grad, place);
}

ComplexTensor reciprocal_bw(const ComplexTensor& given, const ComplexTensor& of,
                            const OptionalMemoryConfig& place) {
    const ComplexTerm grad(given, place), x(of, place);
    Term zero = is_zero(x);
    ComplexTerm negative = negated(grad);
    ComplexTerm result_of_x = inverse(x);
    ComplexTerm square = product(result_of_x, result_of_x.real, result_of_x.imag);
    Term conjugate = square.imag(NEG);
    ComplexTerm result = product(negative, square.real, conjugate);
    conjugate.drop();
    square.drop_imag_first();
    negative.drop_real_first();
    result_of_x.drop_real_first();
    ComplexTerm marked = with_nan(zero, result);
    zero.drop();
    result.become(std::move(marked));
    return std::move(result).take();
}

ComplexTensor polar_bw(const ComplexTensor& given, const ComplexTensor& of,
                       const OptionalMemoryConfig& place) {
    const ComplexTerm grad(given, place), x(of, place);
    ComplexTerm result = from_polar(x);
    ComplexTerm sign = [&] {
        const Term size = magnitude(result);
        Term real = share_of(result.real, size, nullptr);
        Term imag = share_of(result.imag, size, nullptr);
        return ComplexTerm(std::move(real), std::move(imag));
    }();
    // The real part of conj(grad) times `to`.
    const auto real_beside = [&](Term conjugate, const ComplexTerm& to) {
        const ComplexTerm left(grad.real, std::move(conjugate));
        const ComplexTerm whole = product(left, to.real, to.imag);
        return whole.real;
    };
    Term of_size = real_beside(grad.imag(NEG), sign);
    ComplexTerm turn = [&] {
        Term real = x.real.filled(0.0F);
        Term imag = x.imag.filled(1.0F);
        return ComplexTerm(std::move(real), std::move(imag));
    }();
    Term conjugate = grad.imag(NEG);
    ComplexTerm turned = product(result, turn.real, turn.imag);
    Term of_angle = real_beside(conjugate, turned);
    turned.drop_imag_first();
    conjugate.drop();
    result.drop_real_first();
    turn.drop_real_first();
    sign.drop_imag_first();
    return ComplexTerm(std::move(of_size), std::move(of_angle)).take();
}

ComplexTensors add_bw(const ComplexTensor& grad, float alpha, const OptionalMemoryConfig& place) {
    const ComplexTerm x(grad, place);
    Term real = x.real * alpha;
    Term imag = x.imag * alpha;
    return {grad, ComplexTerm(std::move(real), std::move(imag)).take()};
}

ComplexTensors sub_bw(const ComplexTensor& grad, float alpha, const OptionalMemoryConfig& place) {
    const ComplexTerm x(grad, place);
    const std::vector<UnaryWithParam> steps = {{NEG, {}}, {MUL_UNARY_SFPU, {alpha}}};
    Term real = x.real.chain(steps);
    Term imag = x.imag.chain(steps);
    return {grad, ComplexTerm(std::move(real), std::move(imag)).take()};
}

// grad times conj(x).
ComplexTerm beside_conjugate(const ComplexTerm& grad, const ComplexTerm& x) {
    const Term conjugate = x.imag(NEG);
    return product(grad, x.real, conjugate);
}

ComplexTensors mul_bw(const ComplexTensor& given, const ComplexTensor& a, const ComplexTensor& b,
                      const OptionalMemoryConfig& place) {
    const ComplexTerm grad(given, place);
    ComplexTerm of_a = beside_conjugate(grad, {b, place});
    ComplexTerm of_b = beside_conjugate(grad, {a, place});
    return {std::move(of_a).take(), std::move(of_b).take()};
}

ComplexTensors div_bw(const ComplexTensor& given, const ComplexTensor& a, const ComplexTensor& b,
                      const OptionalMemoryConfig& place) {
    const ComplexTerm grad(given, place), dividend(a, place), divisor(b, place);
    Term zero =
        divisor.real.with(BinaryKind::kLogicalAnd, divisor.imag, std::nullopt, {{EQZ, {}}}, {{EQZ, {}}});
    ComplexTerm factor = inverse(divisor);
    ComplexTerm of_a = beside_conjugate(grad, factor);
    of_a.become(with_nan(zero, of_a));
    ComplexTerm negative = negated(grad);
    ComplexTerm quotient = product(dividend, factor.real, factor.imag);
    ComplexTerm slope = product(quotient, factor.real, factor.imag);
    ComplexTerm of_b = beside_conjugate(negative, slope);
    slope.drop_imag_first();
    quotient.drop_imag_first();
    negative.drop_real_first();
    of_b.become(with_nan(zero, of_b));
    zero.drop();
    factor.drop_imag_first();
    return {std::move(of_a).take(), std::move(of_b).take()};
}

}  // namespace of_complex

std::vector<Tensor> parts_of(const Tensor& result) {
    return {result};
}
std::vector<Tensor> parts_of(const ComplexTensor& result) {
    return result.tensors();
}
std::vector<Tensor> parts_of(const ComplexTensors& results) {
    std::vector<Tensor> parts;
    for (const ComplexTensor& each : results)
        parts.insert(parts.end(), {each.real, each.imag});
    return parts;
}

// A call whose scope names no results.
template <typename Definition, typename Body>
auto called(const Definition& call, const Body& body) {
    if (call_recorder() != nullptr) {
        throw TracingError(TracingErrorKind::kBadArgument,
                           "ttnn." + std::string(operation_info(call).name) +
                               ": an operation of complex tensors, which are not traced");
    }
    const internal::WatchedCall watched(typeid(Definition), &call);
    decltype(body()) result;
    in_operation(call, [&] { result = body(); });
    watched.end(parts_of(result));
    return result;
}

}  // namespace

ComplexTensor MakeComplexTensor::call() const {
    return called(*this, [this] { return ComplexTensor{real, imag}; });
}

template <typename Result, typename Place>
Result FunctionOfComplex<Result, Place>::call() const {
    return called(*this, [this] { return row->formula(input_tensor, memory_config); });
}
template struct FunctionOfComplex<Tensor, OptionalMemoryConfig>;
template struct FunctionOfComplex<Tensor, MemoryConfig>;
template struct FunctionOfComplex<ComplexTensor, OptionalMemoryConfig>;
template struct FunctionOfComplex<ComplexTensor, MemoryConfig>;

template <typename Grad>
ComplexTensors GradientOfComplex<Grad>::call() const {
    return called(*this,
                  [this] { return ComplexTensors{row->formula(grad_tensor, input_tensor, memory_config)}; });
}
template struct GradientOfComplex<Tensor>;
template struct GradientOfComplex<ComplexTensor>;

ComplexTensors ComplexSumGradient::call() const {
    return called(*this, [this] { return row->formula(grad_tensor, alpha, memory_config); });
}

ComplexTensors ComplexProductGradient::call() const {
    return called(
        *this, [this] { return row->formula(grad_tensor, input_tensor_a, input_tensor_b, memory_config); });
}

constinit const OperationOf<FunctionOfComplex<Tensor, OptionalMemoryConfig>> complex_real{
    "real", "The real part: the tensor itself, or a copy where memory_config is another place.",
    &of_complex::real};
constinit const OperationOf<FunctionOfComplex<Tensor, OptionalMemoryConfig>> complex_imag{
    "imag", "The imaginary part: the tensor itself, or a copy where memory_config is another place.",
    &of_complex::imag};
constinit const OperationOf<FunctionOfComplex<Tensor, OptionalMemoryConfig>> complex_is_real{
    "is_real", "1 where the imaginary part is 0, else 0.", &of_complex::is_real};
constinit const OperationOf<FunctionOfComplex<Tensor, OptionalMemoryConfig>> complex_is_imag{
    "is_imag", "1 where the real part is 0, else 0.", &of_complex::is_imag};
constinit const OperationOf<FunctionOfComplex<Tensor, OptionalMemoryConfig>> complex_angle{
    "angle", "atan2(imag, real).", &of_complex::angle};
constinit const OperationOf<FunctionOfComplex<Tensor, MemoryConfig>> complex_abs{
    "abs", "The magnitude: sqrt(real^2 + imag^2).", &of_complex::abs};

constinit const OperationOf<FunctionOfComplex<ComplexTensor, OptionalMemoryConfig>> complex_conj{
    "conj", "The conjugate; the real part is shared.", &of_complex::conj};
constinit const OperationOf<FunctionOfComplex<ComplexTensor, OptionalMemoryConfig>> complex_polar{
    "polar", "(real cos(imag), real sin(imag)): from magnitude and angle.", &of_complex::polar};
constinit const OperationOf<FunctionOfComplex<ComplexTensor, MemoryConfig>> complex_reciprocal{
    "reciprocal", "conj(x) / |x|^2.", &of_complex::reciprocal};

constinit const OperationOf<GradientOfComplex<Tensor>> complex_real_bw{"real_bw", &of_complex::real_bw};
constinit const OperationOf<GradientOfComplex<Tensor>> complex_imag_bw{"imag_bw", &of_complex::imag_bw};
constinit const OperationOf<GradientOfComplex<Tensor>> complex_angle_bw{"angle_bw", &of_complex::angle_bw};
constinit const OperationOf<GradientOfComplex<Tensor>> complex_abs_bw{"abs_bw", &of_complex::abs_bw};

constinit const OperationOf<GradientOfComplex<ComplexTensor>> complex_conj_bw{"conj_bw",
                                                                              &of_complex::conj_bw};
constinit const OperationOf<GradientOfComplex<ComplexTensor>> complex_polar_bw{"polar_bw",
                                                                               &of_complex::polar_bw};
constinit const OperationOf<GradientOfComplex<ComplexTensor>> complex_reciprocal_bw{
    "reciprocal_bw", &of_complex::reciprocal_bw};

constinit const ComplexSumGradientFunction complex_add_bw{"add_bw", &of_complex::add_bw};
constinit const ComplexSumGradientFunction complex_sub_bw{"sub_bw", &of_complex::sub_bw};

constinit const ComplexProductGradientFunction complex_mul_bw{"mul_bw", &of_complex::mul_bw};
constinit const ComplexProductGradientFunction complex_div_bw{"div_bw", &of_complex::div_bw};

}  // namespace tilemeter
