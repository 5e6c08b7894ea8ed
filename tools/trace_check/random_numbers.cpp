// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/trace_check/random_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <vector>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/random.hpp"
#include "runtime/trace/derivatives/transforms.hpp"

namespace tilemeter::trace_check {

namespace {

namespace random = trace::random;
using ir::ElementType;
using nlohmann::json;
using random::Scheme;
using trace::Array;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;
using Words = std::vector<std::uint64_t>;

std::uint64_t word_of(const json& hex) {
    return std::stoull(hex.get<std::string>(), nullptr, 16);
}

// All words of nested lists, in order.
void collect(const json& hex, Words& words) {
    if (hex.is_string()) return words.push_back(word_of(hex));
    for (const json& each : hex)
        collect(each, words);
}

Words words_of(const json& hex) {
    Words words;
    collect(hex, words);
    return words;
}

Array key_of(const json& words) {
    const std::array<std::int64_t, 2> both = {static_cast<std::int64_t>(word_of(words[0])),
                                              static_cast<std::int64_t>(word_of(words[1]))};
    return Array(ir::Constant::of(ElementType::kU32, {2}, std::span<const std::int64_t>(both)));
}

ir::Integers sizes_of(const json& shape) {
    return shape.get<ir::Integers>();
}

std::string at(std::size_t i, const auto& found, const auto& expected) {
    return "element " + std::to_string(i) + ": found " + std::to_string(found) + ", expected " +
           std::to_string(expected);
}

std::string differs(const Array& array, const Words& expected) {
    const ir::Constant value = array.value();
    const std::size_t bytes = ir::byte_size(value.type()) / std::max<std::size_t>(expected.size(), 1);
    if (static_cast<std::size_t>(value.type().shape.elements()) != expected.size())
        return "found " + std::to_string(value.type().shape.elements()) + " elements, expected " +
               std::to_string(expected.size());
    const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        std::uint64_t found = 0;
        std::memcpy(&found, value.bytes().data() + i * bytes, bytes);
        if ((found & mask) != expected[i]) return at(i, found, expected[i]);
    }
    return {};
}

void collect(const json& numbers, std::vector<double>& values) {
    if (numbers.is_array()) {
        for (const json& each : numbers)
            collect(each, values);
        return;
    }
    values.push_back(numbers.is_boolean() ? static_cast<double>(numbers.get<bool>()) : numbers.get<double>());
}

std::string differs(const Array& array, const json& recorded, double tolerance = 0) {
    std::vector<double> expected;
    collect(recorded, expected);
    const ir::Constant value = array.value();
    if (static_cast<std::size_t>(value.type().shape.elements()) != expected.size())
        return "found " + std::to_string(value.type().shape.elements()) + " elements, expected " +
               std::to_string(expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool is_float = ir::is_float(value.type().element);
        const double found = is_float ? value.double_at(i) : static_cast<double>(value.integer_at(i));
        if (!(std::abs(found - expected[i]) <= tolerance)) return at(i, found, expected[i]);
    }
    return {};
}

ElementType element_of(const std::string& name) {
    static const std::map<std::string, ElementType> kAll = {
        {"uint8", ElementType::kU8},   {"uint16", ElementType::kU16}, {"uint32", ElementType::kU32},
        {"uint64", ElementType::kU64}, {"f32", ElementType::kF32},    {"f64", ElementType::kF64}};
    return kAll.at(name);
}

Array row(const Array& x, std::int64_t i) {
    return trace::index(x, {i});
}

// Recorded in JAX, which is what draws when an example says "uniform_f32".
Array uniform_of(const Array& key, std::size_t count, Scheme scheme) {
    return random::uniform(key, {static_cast<std::int64_t>(count)}, ElementType::kF32, 0.0, 1.0, scheme);
}

using Check = std::string (*)(const json& recorded, Scheme scheme);

std::string split(const json& recorded, Scheme scheme) {
    const ir::Integers shape = recorded.contains("n") ? ir::Integers{recorded.at("n").get<std::int64_t>()}
                                                      : sizes_of(recorded.at("shape"));
    return differs(random::split(key_of(recorded.at("key")), shape, scheme), words_of(recorded.at("keys")));
}

std::string fold_in(const json& recorded, Scheme) {
    return differs(
        random::fold_in(key_of(recorded.at("key")), Array(recorded.at("data").get<std::int64_t>())),
        words_of(recorded.at("result")));
}

std::string bits(const json& recorded, Scheme scheme) {
    return differs(random::bits(key_of(recorded.at("key")), sizes_of(recorded.at("shape")),
                                element_of(recorded.at("dtype")), scheme),
                   words_of(recorded.at("bits")));
}

std::string uniform(const json& recorded, Scheme scheme) {
    const Array drawn = random::uniform(key_of(recorded.at("key")), sizes_of(recorded.at("shape")),
                                        element_of(recorded.at("dtype")), recorded.at("low").get<double>(),
                                        recorded.at("high").get<double>(), scheme);
    return differs(drawn, words_of(recorded.at("value_bits")));
}

std::string uniform_bf16(const json& recorded, Scheme scheme) {
    return differs(random::uniform(key_of(recorded.at("key")), sizes_of(recorded.at("shape")),
                                   ElementType::kBF16, 0.0, 1.0, scheme),
                   words_of(recorded.at("value_bits")));
}

std::string normal(const json& recorded, Scheme scheme) {
    const ElementType element = element_of(recorded.at("dtype"));
    const Array key = key_of(recorded.at("key"));
    const ir::Integers shape = sizes_of(recorded.at("shape"));
    const bool is_f32 = element == ElementType::kF32;
    const double low = is_f32 ? -1 + 0x1p-24 : -1 + 0x1p-53;
    if (auto why =
            differs(random::uniform(key, shape, element, low, 1.0, scheme), recorded.at("uniform_used"));
        !why.empty())
        return "uniform: " + why;
    return differs(random::normal(key, shape, element, scheme), recorded.at("values"), is_f32 ? 2e-7 : 1e-15);
}

std::string bernoulli(const json& recorded, Scheme scheme) {
    const json& expected = recorded.at("values");
    return differs(random::bernoulli(key_of(recorded.at("key")), recorded.at("p").get<double>(),
                                     {static_cast<std::int64_t>(expected.size())}, scheme),
                   expected);
}

std::string randint(const json& recorded, Scheme scheme) {
    const json& expected = recorded.at("values");
    return differs(random::randint(key_of(recorded.at("key")), {static_cast<std::int64_t>(expected.size())},
                                   recorded.at("low"), recorded.at("high"), ElementType::kI32, scheme),
                   expected);
}

std::string permutation(const json& recorded, Scheme scheme) {
    return differs(
        random::permutation(key_of(recorded.at("key")), recorded.at("n").get<std::int64_t>(), scheme),
        recorded.at("values"));
}

std::string categorical(const json& recorded, Scheme scheme) {
    const std::vector<double> logits = recorded.at("logits");
    const json& expected = recorded.at("values");
    const Array given(ir::Constant::of(ElementType::kF64, {static_cast<std::int64_t>(logits.size())},
                                       std::span<const double>(logits)));
    return differs(random::categorical(key_of(recorded.at("key")), given, -1,
                                       {static_cast<std::int64_t>(expected.size())}, scheme),
                   expected);
}

std::string dropout(const json& recorded, Scheme scheme) {
    const std::vector<double> x = recorded.at("x");
    const double kept = 1 - recorded.at("rate").get<double>();
    const Array key = key_of(recorded.at("key"));
    const Array given(ir::Constant::of(ElementType::kF64, {static_cast<std::int64_t>(x.size())},
                                       std::span<const double>(x)));
    const trace::Function drop = [&](Arguments arguments) {
        const Array mask = random::bernoulli(key, kept, {static_cast<std::int64_t>(x.size())}, scheme);
        return Arrays{trace::where(mask, arguments[0] / kept, 0.0)};
    };
    if (auto why = differs(drop(Arrays{given})[0], recorded.at("values"), 1e-15); !why.empty()) return why;
    const trace::Function loss = [&](Arguments arguments) {
        const Array y = drop(arguments)[0];
        return Arrays{trace::sum(y * y)};
    };
    return differs(trace::grad(loss)(Arrays{given})[0], recorded.at("gradient_of_sum_of_squares"), 1e-15);
}

std::string vmap_over_keys(const json& recorded, Scheme scheme) {
    Arrays keys;
    for (const json& key : recorded.at("keys"))
        keys.push_back(key_of(key));
    const json& expected = recorded.at("uniform_f32");
    const trace::Function draw = [&](Arguments key) {
        return Arrays{uniform_of(key[0], expected[0].size(), scheme)};
    };
    return differs(trace::vmap(draw, {0})(Arrays{trace::stack(keys)})[0], expected);
}

std::string scan_split(const json& recorded, Scheme scheme) {
    const json& expected = recorded.at("uniform_f32");
    const Arrays results = trace::scan(
        [&](Arguments carry) {
            const Array keys = random::split(carry[0], {2}, scheme);
            return Arrays{row(keys, 0), trace::reshape(uniform_of(row(keys, 1), 1, scheme), {})};
        },
        Arrays{key_of(recorded.at("key"))}, {}, {.length = static_cast<std::int64_t>(expected.size())});
    if (auto why = differs(results[0], words_of(recorded.at("last_carry"))); !why.empty()) return why;
    return differs(results[1], expected);
}

// Each step splits the carried key and draws from the second.
std::string chain(const json& recorded, Scheme scheme) {
    Array key = random::key(7);
    for (const json& step : recorded) {
        const Array keys = random::split(key, {2}, scheme);
        key = row(keys, 0);
        if (auto why = differs(key, words_of(step.at("carry"))); !why.empty()) return "carry: " + why;
        const Array drawn = row(keys, 1);
        if (auto why = differs(drawn, words_of(step.at("drawn"))); !why.empty()) return "drawn: " + why;
        const json& expected = step.at("uniform_f32");
        if (auto why = differs(uniform_of(drawn, expected.size(), scheme), expected); !why.empty())
            return why;
    }
    return {};
}

std::string block(const json& recorded, Scheme) {
    Arrays operands;
    for (const char* const part : {"key", "counter"})
        for (const std::uint64_t word : words_of(recorded.at(part)))
            operands.emplace_back(ir::Constant::scalar(ElementType::kU32, static_cast<std::int64_t>(word)));
    const Arrays drawn = trace::apply("flat.threefry2x32", operands);
    const Words expected = words_of(recorded.at("out"));
    for (std::size_t i = 0; i < 2; ++i)
        if (auto why = differs(drawn[i], Words{expected[i]}); !why.empty()) return why;
    return {};
}

std::string seed_to_key(const json& recorded, Scheme) {
    const std::int64_t seed = std::stoll(recorded.at("seed").get<std::string>());
    const Words expected = words_of(recorded.at("key"));
    if (auto why = differs(random::key(seed), expected); !why.empty()) return why;
    return differs(random::key(Array(ir::Constant::scalar(ElementType::kI64, seed))), expected);
}

const std::map<std::string, Check>& checks() {
    static const std::map<std::string, Check> kAll = {
        {"split", split},
        {"split_shape", split},
        {"fold_in", fold_in},
        {"bits", bits},
        {"uniform", uniform},
        {"uniform_bf16", uniform_bf16},
        {"normal", normal},
        {"bernoulli", bernoulli},
        {"randint_i32", randint},
        {"permutation", permutation},
        {"categorical", categorical},
        {"dropout", dropout},
        {"vmap_over_keys", vmap_over_keys},
        {"scan_split", scan_split},
        {"chain_from_seed_7", chain},
        {"block", block},
        {"seed_to_key", seed_to_key},
    };
    return kAll;
}

}  // namespace

bool has_random_numbers(const json& file) {
    return file.is_object() && file.contains("seed_to_key");
}

void random_cases(const json& file, const std::function<void(const std::string& kind, const std::string& name,
                                                             const RandomCase& check)>& report) {
    const auto of = [&](const json& part, const std::string& where, Scheme scheme) {
        for (const auto& [kind, recorded] : part.items()) {
            const auto known = checks().find(kind);
            if (known == checks().end()) {
                if (recorded.is_array())
                    report(kind, where + kind, [] { return std::string("found a kind that is not known"); });
                continue;
            }
            const Check check = known->second;
            if (!recorded.is_array() || kind == "chain_from_seed_7") {
                report(kind, where + kind, [&, check] { return check(recorded, scheme); });
                continue;
            }
            for (std::size_t i = 0; i < recorded.size(); ++i)
                report(kind, where + kind + " " + std::to_string(i),
                       [&, check, i] { return check(recorded[i], scheme); });
        }
    };
    of(file, "", Scheme::kPartitionable);
    for (const auto& [name, scheme] :
         {std::pair("partitionable", Scheme::kPartitionable), std::pair("original", Scheme::kOriginal)})
        if (file.contains(name)) of(file.at(name), std::string(name) + " ", scheme);
}

}  // namespace tilemeter::trace_check
