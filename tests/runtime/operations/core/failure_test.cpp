// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Programs that fail on the device fail here, planned only, with its figures and the owners of what was in
// the way.

#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using graph::GraphProcessor;
using graph::RunMode;

class Failure : public testing::Test {
protected:
    Failure() { GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH); }
    ~Failure() override { GraphProcessor::end_graph_capture(); }
    Failure(const Failure&) = delete;
    Failure& operator=(const Failure&) = delete;

    Tensor planned(const Shape& shape, const MemoryConfig& config = DRAM_MEMORY_CONFIG) {
        return empty(shape, bfloat16, TILE_LAYOUT, device_.get(), config);
    }

    // For 2048 x 4096 times 4096 x 2048: 640 KiB of buffers on each core.
    static MatmulMultiCoreReuseMultiCastProgramConfig on_all_cores() {
        MatmulMultiCoreReuseMultiCastProgramConfig config;
        config.compute_with_storage_grid_size = {8, 8};
        config.in0_block_w = 8;
        config.out_subblock_h = 1;
        config.out_subblock_w = 8;
        config.per_core_M = 8;
        config.per_core_N = 8;
        return config;
    }

    test::OpenDevice device_;
};

// Recorded: forty results of 16 MiB each in the L1 of an n150; the sixth does not fit.
TEST_F(Failure, sixth_result_of_16_MiB_finds_L1_full) {
    const Tensor x = planned({1, 1, 2048, 4096});
    std::vector<Tensor> kept;
    try {
        for (int i = 0; i < 40; ++i)
            kept.push_back(relu(x, L1_MEMORY_CONFIG));
        ADD_FAILURE() << "all fit";
    } catch (const OutOfMemoryError& error) {
        EXPECT_EQ(kept.size(), 5U);
        EXPECT_STREQ(
            error.what(),
            "Out of Memory: Not enough space to allocate 16777216 B L1 buffer across 64 banks, where each "
            "bank needs to store 262144 B, but bank size is 1393312 B (allocated: 1310720 B, free: 82592 B, "
            "largest free block: 82592 B).");
        EXPECT_EQ(error.operation, "ttnn::relu");
        EXPECT_EQ(error.device, 0U);
        ASSERT_EQ(error.owners.size(), 5U);
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_EQ(error.owners[i].address, kept[i].buffer().address());
            EXPECT_EQ(error.owners[i].size_per_bank_bytes, 262144U);
            EXPECT_EQ(error.owners[i].shape, (std::vector<std::uint64_t>{1, 1, 2048, 4096}));
            EXPECT_EQ(error.owners[i].dtype, "DataType::BFLOAT16");
            EXPECT_EQ(error.owners[i].operation, "ttnn::relu");
        }
    }
}

// Recorded: tensors leave less than 200 KiB per core, then a product wants more for its buffers.
TEST_F(Failure, buffers_of_a_product_clash_with_tensors) {
    const Tensor x = planned({1, 1, 2048, 4096}), w = planned({1, 1, 4096, 2048});
    std::vector<Tensor> kept;
    for (int i = 0; i < 4; ++i)
        kept.push_back(relu(x, L1_MEMORY_CONFIG));
    kept.push_back(to_memory_config(slice(x, {0, 0, 0, 0}, {1, 1, 1024, 4096}), L1_MEMORY_CONFIG));
    try {
        matmul(x, w, false, false, std::nullopt, std::nullopt, on_all_cores());
        ADD_FAILURE() << "it fits";
    } catch (const ProgramMemoryClashError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.ends_with(
            "clash with L1 buffers on core range [0-0 - 7-7]. L1 buffer allocated at 319488 and "
            "static dataflow buffer region ends at 761184"))
            << text;
        EXPECT_TRUE(text.starts_with("Statically allocated dataflow buffers in program ")) << text;
        EXPECT_EQ(error.operation, "ttnn::matmul");
        ASSERT_EQ(error.owners.size(), 5U);
        EXPECT_EQ(error.owners.back().address, error.lowest_buffer_address);
        EXPECT_EQ(error.owners.back().operation, "ttnn::to_memory_config");
        EXPECT_EQ(error.owners.back().shape, (std::vector<std::uint64_t>{1, 1, 1024, 4096}));
        EXPECT_EQ(error.owners.front().operation, "ttnn::relu");
    }
}

// As the case above that fills DRAM: tensors of 1 GiB each.
TEST_F(Failure, twelfth_tensor_of_1_GiB_finds_DRAM_full) {
    std::vector<Tensor> kept;
    try {
        for (int i = 0; i < 2000; ++i)
            kept.push_back(zeros({1, 1, 16384, 16384}, float32, TILE_LAYOUT, device_.get()));
        ADD_FAILURE() << "all fit";
    } catch (const OutOfMemoryError& error) {
        EXPECT_EQ(kept.size(), 11U);
        EXPECT_STREQ(
            error.what(),
            "Out of Memory: Not enough space to allocate 1073741824 B DRAM buffer across 12 banks, where "
            "each bank needs to store 89481216 B, but bank size is 1072693184 B (allocated: 984293376 B, "
            "free: 88399808 B, largest free block: 88399808 B).");
        EXPECT_EQ(error.owners.size(), 11U);
        EXPECT_EQ(error.operation, "ttnn::zeros");
    }
}

TEST_F(Failure, owners_are_those_in_force_now) {
    const Tensor a = planned({1, 1, 2048, 4096}, L1_MEMORY_CONFIG);
    {
        Tensor gone = planned({1, 1, 2048, 4096}, L1_MEMORY_CONFIG);
        const Tensor dropped = planned({1, 1, 2048, 4096}, L1_MEMORY_CONFIG);
        gone.deallocate();
    }
    const std::vector<BufferOwner> owners = device_->owners(record::MemoryType::kL1);
    ASSERT_EQ(owners.size(), 1U);
    EXPECT_EQ(owners[0].buffer, static_cast<std::uint64_t>(a.buffer().id()));
    EXPECT_TRUE(device_->owners(record::MemoryType::kDram).empty());
}

TEST(FailureOwners, of_before_a_capture_count_in_it_until_they_are_freed_there) {
    const test::OpenDevice device;
    Tensor a = zeros({1, 1, 64, 64}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    const auto owners = [&] { return device->owners(record::MemoryType::kL1).size(); };
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    const Tensor planned = relu(a);
    EXPECT_EQ(owners(), 2U);
    a.deallocate();
    EXPECT_EQ(owners(), 1U);
    GraphProcessor::end_graph_capture();
    EXPECT_EQ(owners(), 1U);
    EXPECT_EQ(device->owners(record::MemoryType::kL1)[0].buffer, static_cast<std::uint64_t>(a.buffer().id()));
}

// Recorded: what a program was to write to is given back before the scope that failed ends.
TEST_F(Failure, gives_the_result_back_within_the_operation_that_failed) {
    const Tensor x = planned({1, 1, 2048, 4096}), w = planned({1, 1, 4096, 2048});
    std::vector<Tensor> kept;
    for (int i = 0; i < 5; ++i)
        kept.push_back(relu(x, L1_MEMORY_CONFIG));
    GraphProcessor::begin_graph_capture(RunMode::NO_DISPATCH);
    EXPECT_THROW(matmul(x, w, false, false, std::nullopt, std::nullopt, on_all_cores()),
                 ProgramMemoryClashError);
    const nlohmann::json graph = GraphProcessor::end_graph_capture();
    std::vector<std::string> trace;
    for (const nlohmann::json& node : graph) {
        const std::string type = node.at("node_type");
        if (type == "function_start" || type == "function_end")
            trace.push_back(type.substr(9) + " " + std::string(node.at("params").at("name")));
        if (type == "buffer_allocate" || type == "buffer_deallocate") trace.push_back(type);
    }
    EXPECT_EQ(
        trace,
        (std::vector<std::string>{
            "start ttnn::matmul", "start MatmulDeviceOperation", "start tt::tt_metal::create_device_tensor",
            "buffer_allocate", "end tt::tt_metal::create_device_tensor", "start Tensor::deallocate",
            "buffer_deallocate", "end Tensor::deallocate", "end MatmulDeviceOperation", "end ttnn::matmul"}));
}

// The first steps of a refused call, as TT-NN 0.81.1 recorded it on a mock n150.
struct Refused {
    const char* operation;
    Shape a, b;
    const char* made;  ///< shape of the output it makes and gives back; nullptr: it has not come so far
};

std::ostream& operator<<(std::ostream& out, const Refused& call) {
    return out << call.operation << " of " << call.a.to_string() << " and " << call.b.to_string();
}

class RefusedCall : public testing::TestWithParam<Refused> {};

TEST_P(RefusedCall, leaves_the_recorded_functions) {
    const test::OpenDevice device;
    const Refused& call = GetParam();
    const auto operand = [&](const Shape& shape) {
        return empty(shape, bfloat16, TILE_LAYOUT, device.get(), DRAM_MEMORY_CONFIG);
    };
    const Tensor a = operand(call.a), b = operand(call.b);
    const std::string name = call.operation;
    GraphProcessor::begin_graph_capture(RunMode::NORMAL);
    if (name == "add") {
        EXPECT_THROW(add(a, b), RuntimeError);
    } else {
        EXPECT_THROW(matmul(a, b), RuntimeError);
    }
    std::vector<std::string> found;
    int frees = 0;
    for (const auto& node : GraphProcessor::end_graph_capture()) {
        frees += node["node_type"] == "buffer_deallocate" ? 1 : 0;
        if (node["node_type"] != "function_start") continue;
        found.push_back(node["params"]["name"]);
        if (found.back().ends_with("create_device_tensor")) found.push_back(node["arguments"][0]);
    }
    std::vector<std::string> expected = {"ttnn::" + name};
    if (call.made != nullptr) {
        expected.insert(expected.end(),
                        {name == "add" ? "BinaryNgDeviceOperation" : "MatmulDeviceOperation",
                         "tt::tt_metal::create_device_tensor", call.made, "Tensor::deallocate"});
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(frees, call.made == nullptr ? 0 : 1);
}

INSTANTIATE_TEST_SUITE_P(
    recorded, RefusedCall,
    testing::Values(Refused{"add", {1, 1, 256, 128}, {1, 1, 256}, "Shape([1, 1, 256, 128])"},
                    Refused{"add", {1, 1, 256}, {1, 1, 256, 128}, "Shape([1, 1, 256, 256])"},
                    Refused{"add", {3, 1, 64, 128}, {2, 1, 64, 128}, "Shape([3, 1, 64, 128])"},
                    Refused{"add", {2, 1, 64, 128}, {3, 1, 64, 128}, "Shape([2, 1, 64, 128])"},
                    Refused{"add", {1, 1, 64, 128}, {1, 1, 64, 64}, nullptr},
                    Refused{"add", {1, 1, 64, 64}, {1, 1, 32, 64}, nullptr},
                    Refused{"add", {1, 1, 1, 64}, {1, 1, 64, 96}, "Shape([1, 1, 64, 64])"},
                    Refused{"add", {1, 1, 64, 1}, {1, 1, 32, 96}, "Shape([1, 1, 64, 96])"},
                    Refused{"add", {4, 1, 1, 1}, {3, 1, 64, 64}, "Shape([4, 1, 64, 64])"},
                    Refused{"add", {64, 96}, {64}, "Shape([64, 96])"},
                    Refused{"matmul", {64, 128}, {64, 128}, "Shape([64, 128])"},
                    Refused{"matmul", {2, 1, 64, 128}, {3, 1, 128, 64}, "Shape([2, 1, 64, 64])"},
                    Refused{"matmul", {1, 1, 64, 128}, {2, 2, 64, 128}, "Shape([2, 2, 64, 128])"},
                    Refused{"matmul", {2, 3, 64, 128}, {2, 2, 128, 64}, "Shape([2, 3, 64, 64])"},
                    Refused{"matmul", {64, 100}, {96, 64}, "Shape([64, 64])"}));

}  // namespace
}  // namespace tilemeter
