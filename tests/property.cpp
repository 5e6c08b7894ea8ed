// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/property.hpp"

#include <string>

#include <rapidcheck.h>

namespace tilemeter::test {

bool holds_for_random_cases(const std::function<void()>& property) {
    return rc::check([&] { property(); });
}

bool any_bool() {
    return *rc::gen::arbitrary<bool>();
}

unsigned any_unsigned() {
    return *rc::gen::arbitrary<unsigned>();
}

float any_float() {
    return *rc::gen::arbitrary<float>();
}

namespace internal {

std::int64_t in_range(std::int64_t begin, std::int64_t end) {
    return *rc::gen::inRange(begin, end);
}

std::size_t index_below(std::size_t count) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(std::size_t{0}, count));
}

void fail_case(const char* condition, const char* file, int line) {
    throw rc::detail::CaseResult(rc::detail::CaseResult::Type::Failure,
                                 std::string(file) + ":" + std::to_string(line) + ":\n" + condition);
}

void discard_case(const char* condition) {
    throw rc::detail::CaseResult(rc::detail::CaseResult::Type::Discard, condition);
}

}  // namespace internal

}  // namespace tilemeter::test
