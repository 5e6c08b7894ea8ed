// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/property.hpp"

#include <cstdlib>
#include <mutex>
#include <string>

#include <rapidcheck.h>

#include "tests/cases.hpp"

namespace tilemeter::test {

namespace {

// The cases of a property, 100 unless TILEMETER_CASES or RC_PARAMS says otherwise; rapidcheck reads RC_PARAMS once.
void choose_cases() {
    const char* const set = std::getenv("RC_PARAMS");
    std::string params = set == nullptr ? "" : set;
    if (params.find("max_success") == std::string::npos)
        params += " max_success=" + std::to_string(cases(100));
    ::setenv("RC_PARAMS", params.c_str(), 1);
}

}  // namespace

bool holds_for_random_cases(const std::function<void()>& property) {
    static std::once_flag once;
    std::call_once(once, choose_cases);
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
