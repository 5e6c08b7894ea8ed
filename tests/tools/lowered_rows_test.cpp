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
    std::size_t in_recorded_dtype = 0;  // of those compared
    std::size_t not_traced = 0;
};

// Floats in float32 or, of operations that do not take it, in the recorded dtype; integers that are numbers of
// elements along any dimension.
std::vector<Tensor> tensors_of(const Row& row, const std::shared_ptr<Device>& device, bool in_float32) {
    std::vector<Tensor> tensors;
    unsigned seed = 1;
    std::int64_t most = 3;
    for (const TensorSpec& spec : row.inputs)
        for (const std::uint32_t each : spec.shape.dimensions())
            most = std::min<std::int64_t>(most, each);
    for (const TensorSpec& spec : row.inputs) {
        if (is_floating_point(spec.dtype)) {
            const std::vector<float> values = test::uneven_values(spec.shape.volume(), 0.25F, 1.75F, seed++);
            tensors.push_back(from_vector(std::span<const float>(values), spec.shape,
                                          in_float32 ? DataType::FLOAT32 : spec.dtype, spec.layout, device,
                                          spec.memory_config));
        } else {
            std::vector<std::int64_t> values(spec.shape.volume());
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<std::int64_t>(i) % std::max<std::int64_t>(most, 1);
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
    bool is_traced = false;
    bool in_float32 = true;
    for (const bool each : {true, false}) {
        try {
            inputs = tensors_of(row, device.get(), each);
            trace::trace_on_device(function, inputs);
            in_float32 = each;
            is_traced = true;
            break;
        } catch (const std::exception& error) {
            if (!each && std::getenv("TILEMETER_SHOW_ROWS") != nullptr)
                std::cout << row.operation << ": " << error.what() << '\n';
        }
    }
    if (!is_traced) {
        ++tally.not_traced;  // random numbers, values on the host, no tensors
        return "";
    }
    try {
        const std::string difference = test::lowering_difference(function, inputs, in_float32 ? 2e-4 : 2e-2);
        if (difference.empty()) ++tally.equal;
        if (!in_float32) ++tally.in_recorded_dtype;
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
              << " without lowering, " << tally.not_traced << " not traced; " << tally.in_recorded_dtype
              << " compared in the recorded dtype\n";
    for (const auto& [row, difference] : wrong)
        ADD_FAILURE() << GetParam() << " row " << row << ": " << difference;
    EXPECT_GT(tally.equal, 0U);
}

INSTANTIATE_TEST_SUITE_P(Families, LoweredRows,
                         testing::Values("eltwise", "reduction", "matmul", "normalization", "data_movement",
                                         "transformer", "moreh"));

}  // namespace
}  // namespace tilemeter::oracle
