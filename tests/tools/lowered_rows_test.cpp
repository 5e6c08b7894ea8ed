// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The recorded calls of TT-NN (tests/data/oracle) in float32, each traced, lowered and evaluated, beside its own values.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "tests/paths.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/lowering.hpp"
#include "tools/oracle_check/operation_table.hpp"
#include "tools/oracle_check/oracle_row.hpp"

namespace tilemeter::oracle {
namespace {

constexpr std::uint64_t kMostElements = 1U << 20;

struct Tally {
    std::size_t equal = 0;
    std::size_t without_lowering = 0;
    std::size_t not_in_float32 = 0;
};

std::vector<Tensor> tensors_of(const Row& row, const std::shared_ptr<Device>& device) {
    std::vector<Tensor> tensors;
    unsigned seed = 1;
    for (const TensorSpec& spec : row.inputs) {
        if (is_floating_point(spec.dtype)) {
            const std::vector<float> values = test::uneven_values(spec.shape.volume(), 0.25F, 1.75F, seed++);
            tensors.push_back(from_vector(std::span<const float>(values), spec.shape, DataType::FLOAT32,
                                          spec.layout, device, spec.memory_config));
        } else {
            std::vector<std::int64_t> values(spec.shape.volume());
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<std::int64_t>(i % 3);
            tensors.push_back(from_vector(std::span<const std::int64_t>(values), spec.shape, spec.dtype,
                                          spec.layout, device, spec.memory_config));
        }
    }
    return tensors;
}

std::string check(const std::string& line, Tally& tally) {
    const Row row = parse_row(line);
    const CallOperation* const call = find_operation(row.operation);
    if (call == nullptr) return "";
    for (const TensorSpec& each : row.inputs)
        if (each.shape.volume() > kMostElements) return "";
    DeviceOptions options;
    options.description = row.board;
    options.l1_small_size = row.l1_small_size;
    const test::OpenDevice device(options);
    const trace::TensorFunction function = [&](std::span<const Tensor> inputs) {
        const CallResult result = (*call)(row, {inputs.begin(), inputs.end()});
        return result.others.empty() ? std::vector<Tensor>{result.output} : result.others;
    };
    std::vector<Tensor> inputs;
    try {
        inputs = tensors_of(row, device.get());
        trace::trace_on_device(function, inputs);
    } catch (const std::exception&) {
        ++tally.not_in_float32;  // other dtypes only, shards that are too large, random numbers
        return "";
    }
    try {
        const std::string difference = test::lowering_difference(function, inputs, 5e-5);
        if (difference.empty()) ++tally.equal;
        return difference.empty() ? "" : difference;
    } catch (const ir::Error& error) {
        if (error.kind() != ir::ErrorKind::kNoRule) return error.what();
        ++tally.without_lowering;
        if (std::getenv("TILEMETER_SHOW_ROWS") != nullptr) std::cout << error.what() << '\n';
        return "";
    }
}

class LoweredRows : public testing::TestWithParam<const char*> {};

TEST_P(LoweredRows, compute_what_the_calls_compute) {
    std::ifstream file(test::data_folder() + "/oracle/" + GetParam() + "_n150.jsonl");
    ASSERT_TRUE(file);
    Tally tally;
    std::map<std::string, std::string> wrong;
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        std::string difference;
        try {
            difference = check(line, tally);
        } catch (const std::exception& error) {
            difference = error.what();
        }
        if (!difference.empty())
            wrong.emplace(std::to_string(number) + " " + parse_row(line).operation, difference);
    }
    std::cout << GetParam() << ": " << tally.equal << " equal, " << tally.without_lowering
              << " without lowering, " << tally.not_in_float32 << " not in float32\n";
    for (const auto& [row, difference] : wrong)
        ADD_FAILURE() << GetParam() << " row " << row << ": " << difference;
    EXPECT_GT(tally.equal, 0U);
}

INSTANTIATE_TEST_SUITE_P(Families, LoweredRows,
                         testing::Values("eltwise", "reduction", "matmul", "normalization", "data_movement",
                                         "creation", "transformer", "moreh"));

}  // namespace
}  // namespace tilemeter::oracle
