// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <cmath>
#include <limits>

#include <Random123/threefry.h>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>

#include "capture/ir/error.hpp"
#include "runtime/trace/primitives/internal/kernel.hpp"

namespace tilemeter::trace::internal {

namespace {

template <class T>
constexpr bool kIsFloat = std::is_floating_point_v<T>;

// Wraps around instead of overflowing.
template <class T>
constexpr auto wrapping(T value) {
    if constexpr (kIsFloat<T>)
        return value;
    else
        return static_cast<std::uint64_t>(value);
}

template <class T, class Formula>
void unary_as(const KernelUse& use, std::vector<Constant>& results, Formula formula) {
    const Numbers<T> x(use.operand(0));
    Result<T> y = Result<T>::unwritten(use.types[0]);
    const T* const from = x.data();
    T* const to = y.data();
    const std::size_t count = y.size();
    for (std::size_t i = 0; i < count; ++i)
        to[i] = static_cast<T>(formula(from[i]));
    results.push_back(y.finish());
}

template <class T, class Formula>
void binary_as(const KernelUse& use, std::vector<Constant>& results, Formula formula) {
    const Numbers<T> a(use.operand(0));
    const Numbers<T> b(use.operand(1));
    Result<T> y = Result<T>::unwritten(use.types[0]);
    const T* const left = a.data();
    const T* const right = b.data();
    T* const to = y.data();
    const std::size_t count = y.size();
    // One element of an operand stands for all.
    if (a.size() == count && b.size() == count) {
        for (std::size_t i = 0; i < count; ++i)
            to[i] = static_cast<T>(formula(left[i], right[i]));
    } else if (a.size() == count) {
        const T all = right[0];
        for (std::size_t i = 0; i < count; ++i)
            to[i] = static_cast<T>(formula(left[i], all));
    } else {
        const T all = left[0];
        for (std::size_t i = 0; i < count; ++i)
            to[i] = static_cast<T>(formula(all, right[b.size() == count ? i : 0]));
    }
    results.push_back(y.finish());
}

// Formula is a type of function without state, so that each primitive is a kernel of its own.
template <class Formula>
void float_unary(const KernelUse& use, std::vector<Constant>& results) {
    if (use.types[0].element == ElementType::kF64) return unary_as<double>(use, results, Formula{});
    unary_as<float>(use, results, Formula{});
}

template <class Formula>
void number_unary(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) { unary_as<T>(use, results, Formula{}); });
}

template <class Formula>
void number_binary(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) { binary_as<T>(use, results, Formula{}); });
}

template <class Formula>
void float_binary(const KernelUse& use, std::vector<Constant>& results) {
    if (use.types[0].element == ElementType::kF64) return binary_as<double>(use, results, Formula{});
    binary_as<float>(use, results, Formula{});
}

template <class Formula>
void bits_binary(const KernelUse& use, std::vector<Constant>& results) {
    binary_as<std::uint64_t>(use, results, Formula{});
}

template <class T>
T inverse_erf(T x) {
    if (std::isnan(x) || std::fabs(x) > 1) return std::numeric_limits<T>::quiet_NaN();
    if (std::fabs(x) == 1) return std::copysign(std::numeric_limits<T>::infinity(), x);
    return boost::math::erf_inv(x);
}

template <class T>
T digamma(T x) {
    if (std::isnan(x) || x == -std::numeric_limits<T>::infinity()) return std::numeric_limits<T>::quiet_NaN();
    if (x == std::numeric_limits<T>::infinity()) return x;
    if (x == 0) return -std::numeric_limits<T>::infinity();
    if (x < 0 && x == std::floor(x)) return std::numeric_limits<T>::quiet_NaN();
    return boost::math::digamma(x);
}

template <class T>
T sign(T x) {
    if constexpr (kIsFloat<T>)
        return std::isnan(x) || x == 0 ? x : std::copysign(T{1}, x);
    else
        return x == 0 ? T{0} : (x < 0 ? static_cast<T>(-1) : T{1});
}

// A nan in either operand is the answer; of zeros the sign decides.
template <class T>
T larger(T a, T b) {
    if constexpr (kIsFloat<T>) {
        if (std::isnan(a)) return a;
        if (std::isnan(b)) return b;
        if (a == b) return std::signbit(a) ? b : a;
    }
    return a > b ? a : b;
}

template <class T>
T smaller(T a, T b) {
    if constexpr (kIsFloat<T>) {
        if (std::isnan(a)) return a;
        if (std::isnan(b)) return b;
        if (a == b) return std::signbit(a) ? a : b;
    }
    return a < b ? a : b;
}

// Integers as XLA divides them: by zero all bits are set, and the lowest number by -1 wraps around.
template <class T>
T quotient(T a, T b) {
    if constexpr (kIsFloat<T>) {
        return a / b;
    } else {
        if (b == 0) return static_cast<T>(-1);
        if constexpr (std::is_signed_v<T>)
            if (b == -1) return static_cast<T>(0 - static_cast<std::uint64_t>(a));
        return a / b;
    }
}

template <class T>
T remainder_of(T a, T b) {
    if constexpr (kIsFloat<T>) {
        return std::fmod(a, b);
    } else {
        if (b == 0) return a;
        if constexpr (std::is_signed_v<T>)
            if (b == -1) return 0;
        return a % b;
    }
}

template <class T>
T power(T a, T b) {
    if constexpr (kIsFloat<T>) {
        return std::pow(a, b);
    } else {
        if constexpr (std::is_signed_v<T>)
            if (b < 0) return a == 1 ? 1 : (a == -1 ? (b % 2 == 0 ? 1 : -1) : 0);
        std::uint64_t result = 1;
        auto base = static_cast<std::uint64_t>(a);
        for (auto exponent = static_cast<std::uint64_t>(b); exponent != 0; exponent >>= 1, base *= base)
            if ((exponent & 1) != 0) result *= base;
        return static_cast<T>(result);
    }
}

// ---- primitives whose result is of another type or whose operands are

void convert(const KernelUse& use, std::vector<Constant>& results) {
    const Constant& from = use.operand(0);
    const ElementType source = from.type().element;
    const TensorType& type = use.types[0];
    if (source == type.element) {
        results.emplace_back(type, from.storage());
        return;
    }
    const auto storage = std::make_shared_for_overwrite<std::byte[]>(ir::byte_size(type));
    const std::size_t width = ir::element_bytes(source);
    const std::size_t to_width = ir::element_bytes(type.element);
    const std::byte* const bytes = from.bytes().data();
    const auto count = static_cast<std::size_t>(type.shape.elements());
    const bool as_integer = !ir::is_float(source) && !ir::is_float(type.element);
    for (std::size_t i = 0; i < count; ++i) {
        std::byte* const to = storage.get() + i * to_width;
        if (!as_integer) {
            ir::put_double(type.element, ir::to_double(source, bytes + i * width), to);
            continue;
        }
        std::int64_t value = 0;
        if (source == ElementType::kU64)
            std::copy_n(bytes + i * width, sizeof value, reinterpret_cast<std::byte*>(&value));
        else
            value = ir::to_integer(source, bytes + i * width);
        ir::put_integer(type.element, value, to);
    }
    results.emplace_back(type, storage);
}

// The same bytes, as elements of another type or of another shape.
void reinterpret(const KernelUse& use, std::vector<Constant>& results) {
    results.emplace_back(use.types[0], use.operand(0).storage());
}

void is_finite(const KernelUse& use, std::vector<Constant>& results) {
    const Numbers<double> x(use.operand(0));
    Result<std::uint64_t> y(use.types[0]);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = std::isfinite(x[i]) ? 1 : 0;
    results.push_back(y.finish());
}

template <class T>
bool compared(std::string_view direction, T a, T b) {
    if (direction == "EQ") return a == b;
    if (direction == "NE") return a != b;
    if (direction == "LT") return a < b;
    if (direction == "LE") return a <= b;
    if (direction == "GT") return a > b;
    return a >= b;
}

void compare(const KernelUse& use, std::vector<Constant>& results) {
    const auto& direction = use.attributes.get<std::string>("direction");
    Result<std::uint64_t> y(use.types[0]);
    with_number_type(use.operand(0).type().element, [&]<class T>(T) {
        const Numbers<T> a(use.operand(0));
        const Numbers<T> b(use.operand(1));
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = compared(direction, a[i], b[i]) ? 1 : 0;
    });
    results.push_back(y.finish());
}

// Bytes, since any element type is chosen alike.
void select(const KernelUse& use, std::vector<Constant>& results) {
    const TensorType& type = use.types[0];
    const auto storage = std::make_shared_for_overwrite<std::byte[]>(ir::byte_size(type));
    const std::size_t width = ir::element_bytes(type.element);
    const auto predicate = use.operand(0).bytes();
    const std::size_t step = use.shape(0).rank() == 0 ? 0 : 1;
    const auto count = static_cast<std::size_t>(type.shape.elements());
    for (std::size_t i = 0; i < count; ++i) {
        const Constant& chosen = use.operand(predicate[i * step] != std::byte{0} ? 1 : 2);
        std::copy_n(chosen.bytes().data() + i * width, width, storage.get() + i * width);
    }
    results.emplace_back(type, storage);
}

void clamp(const KernelUse& use, std::vector<Constant>& results) {
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> low(use.operand(0));
        const Numbers<T> x(use.operand(1));
        const Numbers<T> high(use.operand(2));
        Result<T> y(use.types[0]);
        const std::size_t low_step = use.shape(0).rank() == 0 ? 0 : 1;
        const std::size_t high_step = use.shape(2).rank() == 0 ? 0 : 1;
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = smaller(larger(x[i], low[i * low_step]), high[i * high_step]);
        results.push_back(y.finish());
    });
}

std::uint64_t width_of(const KernelUse& use) {
    return ir::element_bytes(use.types[0].element) * 8;
}

// Shifts by the width and more shift everything out.
template <bool kArithmetic, bool kLeft>
void shift(const KernelUse& use, std::vector<Constant>& results) {
    const std::uint64_t width = width_of(use);
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const Numbers<std::uint64_t> x(use.operand(0));
    const Numbers<std::uint64_t> amount(use.operand(1));
    Result<std::uint64_t> y(use.types[0]);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const std::uint64_t count = amount[i] & mask;
        const std::uint64_t bits = x[i] & mask;
        if constexpr (kLeft) {
            y[i] = count >= width ? 0 : bits << count;
        } else if constexpr (kArithmetic) {
            // The sign bit at bit 63, then shifted back over as many bits more.
            const auto top = static_cast<std::int64_t>(bits << (64 - width));
            y[i] =
                static_cast<std::uint64_t>(top >> (64 - width) >> std::min<std::uint64_t>(count, width - 1));
        } else {
            y[i] = count >= width ? 0 : bits >> count;
        }
    }
    results.push_back(y.finish());
}

void popcnt(const KernelUse& use, std::vector<Constant>& results) {
    const std::uint64_t width = width_of(use);
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const Numbers<std::uint64_t> x(use.operand(0));
    Result<std::uint64_t> y(use.types[0]);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = static_cast<std::uint64_t>(std::popcount(x[i] & mask));
    results.push_back(y.finish());
}

void bitwise_not(const KernelUse& use, std::vector<Constant>& results) {
    const bool is_bool = use.types[0].element == ElementType::kBool;
    const Numbers<std::uint64_t> x(use.operand(0));
    Result<std::uint64_t> y(use.types[0]);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = is_bool ? 1 - x[i] : ~x[i];
    results.push_back(y.finish());
}

// Operands: two words of the key, two of the counter.
void threefry(const KernelUse& use, std::vector<Constant>& results) {
    const Numbers<std::uint64_t> first_key(use.operand(0));
    const Numbers<std::uint64_t> second_key(use.operand(1));
    const Numbers<std::uint64_t> first(use.operand(2));
    const Numbers<std::uint64_t> second(use.operand(3));
    Result<std::uint64_t> a(use.types[0]);
    Result<std::uint64_t> b(use.types[1]);
    const auto word = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
    r123::Threefry2x32 generator;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const r123::Threefry2x32::ctr_type drawn =
            generator({{word(first[i]), word(second[i])}}, {{word(first_key[i]), word(second_key[i])}});
        a[i] = drawn[0];
        b[i] = drawn[1];
    }
    results.push_back(a.finish());
    results.push_back(b.finish());
}

// Formula types for lambdas: a lambda without captures can be made from its type.
template <auto kLambda>
struct Formula {
    template <class... T>
    auto operator()(T... values) const {
        return kLambda(values...);
    }
};
template <auto kLambda>
constexpr Kernel kFloat1 = float_unary<Formula<kLambda>>;
template <auto kLambda>
constexpr Kernel kNumber1 = number_unary<Formula<kLambda>>;
template <auto kLambda>
constexpr Kernel kFloat2 = float_binary<Formula<kLambda>>;
template <auto kLambda>
constexpr Kernel kNumber2 = number_binary<Formula<kLambda>>;
template <auto kLambda>
constexpr Kernel kBits2 = bits_binary<Formula<kLambda>>;

constexpr NamedKernel kElementwiseKernels[] = {
    {"exp", kFloat1<[](auto x) { return std::exp(x); }>},
    {"expm1", kFloat1<[](auto x) { return std::expm1(x); }>},
    {"log", kFloat1<[](auto x) { return std::log(x); }>},
    {"log1p", kFloat1<[](auto x) { return std::log1p(x); }>},
    {"sqrt", kFloat1<[](auto x) { return std::sqrt(x); }>},
    {"rsqrt", kFloat1<[](auto x) { return 1 / std::sqrt(x); }>},
    {"cbrt", kFloat1<[](auto x) { return std::cbrt(x); }>},
    {"sin", kFloat1<[](auto x) { return std::sin(x); }>},
    {"cos", kFloat1<[](auto x) { return std::cos(x); }>},
    {"tan", kFloat1<[](auto x) { return std::tan(x); }>},
    {"tanh", kFloat1<[](auto x) { return std::tanh(x); }>},
    {"logistic", kFloat1<[](auto x) { return 1 / (1 + std::exp(-x)); }>},
    {"erf", kFloat1<[](auto x) { return std::erf(x); }>},
    {"erf_inv", kFloat1<[](auto x) { return inverse_erf(x); }>},
    {"lgamma", kFloat1<[](auto x) { return std::lgamma(x); }>},
    {"digamma", kFloat1<[](auto x) { return digamma(x); }>},
    {"atan2", kFloat2<[](auto y, auto x) { return std::atan2(y, x); }>},
    {"pow", kNumber2<[](auto a, auto b) { return power(a, b); }>},
    {"sign", kNumber1<[](auto x) { return sign(x); }>},
    {"floor", kFloat1<[](auto x) { return std::floor(x); }>},
    {"ceil", kFloat1<[](auto x) { return std::ceil(x); }>},
    {"round_even", kFloat1<[](auto x) { return std::nearbyint(x); }>},
    {"round_away", kFloat1<[](auto x) { return std::round(x); }>},
    {"is_finite", is_finite},
    {"popcnt", popcnt},
    {"not", bitwise_not},
    {"neg", kNumber1<[](auto x) {
         if constexpr (kIsFloat<decltype(x)>)
             return -x;
         else
             return 0 - wrapping(x);
     }>},
    {"convert", convert},
    {"copy", reinterpret},
    {"add", kNumber2<[](auto a, auto b) { return wrapping(a) + wrapping(b); }>},
    {"sub", kNumber2<[](auto a, auto b) { return wrapping(a) - wrapping(b); }>},
    {"mul", kNumber2<[](auto a, auto b) { return wrapping(a) * wrapping(b); }>},
    {"div", kNumber2<[](auto a, auto b) { return quotient(a, b); }>},
    {"maximum", kNumber2<[](auto a, auto b) { return larger(a, b); }>},
    {"minimum", kNumber2<[](auto a, auto b) { return smaller(a, b); }>},
    {"clamp", clamp},
    {"abs", kNumber1<[](auto x) {
         if constexpr (kIsFloat<decltype(x)>)
             return std::fabs(x);
         else
             return x < 0 ? 0 - wrapping(x) : wrapping(x);
     }>},
    {"rem", kNumber2<[](auto a, auto b) { return remainder_of(a, b); }>},
    {"compare", compare},
    {"select", select},
    {"and", kBits2<[](auto a, auto b) { return a & b; }>},
    {"or", kBits2<[](auto a, auto b) { return a | b; }>},
    {"xor", kBits2<[](auto a, auto b) { return a ^ b; }>},
    {"shift_left", shift<false, true>},
    {"shift_right_logical", shift<false, false>},
    {"shift_right_arithmetic", shift<true, false>},
    {"bitcast_convert", reinterpret},
    {"reshape", reinterpret},
    {"threefry2x32", threefry},
};

}  // namespace

bool takes_one_element(std::string_view primitive) {
    constexpr std::string_view kNames[] = {"add",     "sub",     "mul", "div",  "pow",
                                           "maximum", "minimum", "rem", "atan2"};
    return std::ranges::find(kNames, primitive) != std::end(kNames);
}

std::span<const NamedKernel> elementwise_kernels() {
    return kElementwiseKernels;
}

}  // namespace tilemeter::trace::internal
