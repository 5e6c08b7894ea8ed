// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The work of the fuzzer of compiled programs, for seconds and with any compiler. It aborts where something is wrong.
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/paths.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tilemeter {
namespace {

std::string bytes_of(const std::string& name) {
    std::ifstream file(test::data_folder() + "/compiled/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CompiledProgramFuzzShortRun, damaged_programs) {
    static const std::string kTokens = "%@#{}()[]:,=.\"\\ \n<>!^-0129xf";
    const std::string text = bytes_of("train_step_o0.mlir"), container = bytes_of("add_o0.tt");
    ASSERT_FALSE(text.empty() || container.empty());
    const std::string flatbuffer = container.substr(container.find("TTNN", container.find("TTSERv00")) - 8);
    std::mt19937 random(1);
    for (int i = 0; i < 600; ++i) {
        const int kind = i % 3;
        std::string input = kind == 0 ? text : kind == 1 ? container : flatbuffer;
        for (unsigned change = 1 + random() % 4; change > 0; --change) {
            // Tables stand at the flatbuffer's beginning.
            const std::size_t at = random() % (kind == 2 && random() % 2 == 0 ? 512 : input.size());
            if (kind == 0)
                input.replace(at, random() % 8, 1, kTokens[random() % kTokens.size()]);
            else
                input[at] = static_cast<char>(random());
        }
        if (random() % 8 == 0) input.resize(random() % input.size());
        input.insert(0, 1, static_cast<char>(kind));
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    }
}

}  // namespace
}  // namespace tilemeter
