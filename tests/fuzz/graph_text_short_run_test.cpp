// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The work of the fuzzer of graphs, for a second and with any compiler. It aborts where something is wrong.
#include <cstdint>
#include <random>
#include <string>

#include <gtest/gtest.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tilemeter {
namespace {

constexpr int kInputs = 2000;

TEST(GraphTextFuzzShortRun, random_graphs_with_random_changes) {
    static const std::string kTokens = "%@#{}()[]:,=.\"\\ \n0129aefx-/";
    std::mt19937 random(1);
    for (int i = 0; i < kInputs; ++i) {
        std::string input{'\1', static_cast<char>(random()), static_cast<char>(random())};
        for (unsigned change = random() % 4; change > 0; --change) {
            input += static_cast<char>(random());
            input += static_cast<char>(random());
            const unsigned come = random() % 4;
            input += static_cast<char>(random() % 4);
            input += static_cast<char>(come);
            for (unsigned k = 0; k < come; ++k)
                input += kTokens[random() % kTokens.size()];
        }
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    }
}

}  // namespace
}  // namespace tilemeter
