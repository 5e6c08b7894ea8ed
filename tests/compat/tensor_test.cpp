// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors and devices as clients hold them: handles, lifetimes, values.

#include "ttnn/tensor/tensor.hpp"

#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "tt-metalium/bfloat16.hpp"
#include "ttnn/core.hpp"
#include "ttnn/device.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"

namespace {

ttnn::TensorSpec spec_of(const ttnn::Shape& shape, ttnn::DataType dtype = ttnn::DataType::FLOAT32) {
    return {shape, ttnn::TensorLayout(dtype, ttnn::Layout::TILE, ttnn::L1_MEMORY_CONFIG)};
}

TEST(CompatTensor, KeepsValues) {
    const auto device = ttnn::open_mesh_device(0);
    std::vector<float> values(64 * 32);
    std::iota(values.begin(), values.end(), 0.0F);
    const ttnn::Tensor host = ttnn::Tensor::from_vector(values, spec_of(ttnn::Shape({64, 32})));
    EXPECT_EQ(host.device(), nullptr);
    EXPECT_EQ(host.storage_type(), ttnn::StorageType::HOST);
    const ttnn::Tensor x = host.to_device(device.get());
    EXPECT_EQ(x.device(), device.get());
    EXPECT_EQ(x.memory_config(), ttnn::L1_MEMORY_CONFIG);
    EXPECT_EQ(ttnn::add(x, x).to_vector<float>()[5], 10.0F);
    EXPECT_EQ(ttnn::multiply(x, 3).to_vector<float>().back(), 3.0F * (64 * 32 - 1));
    EXPECT_EQ(x.cpu().to_vector<bfloat16>()[2], bfloat16(2.0F));
    EXPECT_THROW((void)ttnn::Tensor::from_vector(values, spec_of(ttnn::Shape({64, 33}))), std::runtime_error);
    std::vector<std::int32_t> numbers{1, 2, 3, 4};
    const ttnn::Tensor borrowed = ttnn::Tensor::from_borrowed_data(std::span(numbers), ttnn::Shape({2, 2}));
    EXPECT_EQ(borrowed.to_vector<std::int32_t>(), numbers);
    EXPECT_EQ(borrowed.dtype(), ttnn::DataType::INT32);
}

TEST(CompatTensor, IsFreedByItsLastHandle) {
    const auto device = ttnn::open_mesh_device(0);
    ttnn::Tensor x = ttnn::create_device_tensor(spec_of(ttnn::Shape({64, 32})), device.get());
    const auto address = x.buffer()->address();
    EXPECT_EQ(x.buffer()->size(), 2U * 4096);
    std::optional<ttnn::Tensor> second = x;
    ttnn::deallocate(x, false);
    EXPECT_TRUE(x.is_allocated());
    second.reset();
    ttnn::deallocate(x, false);
    EXPECT_FALSE(x.is_allocated());
    EXPECT_EQ(x.buffer(), nullptr);
    EXPECT_EQ(ttnn::create_device_tensor(spec_of(ttnn::Shape({64, 32})), device.get()).buffer()->address(),
              address);
    const ttnn::Tensor nothing;
    EXPECT_FALSE(nothing.is_allocated());
    EXPECT_THROW((void)nothing.dtype(), std::runtime_error);
}

TEST(CompatTensor, OutlivesItsDevice) {
    ttnn::Tensor kept;
    {
        const auto device = ttnn::MeshDevice::create_unit_mesh(0);
        kept = ttnn::create_device_tensor(spec_of(ttnn::Shape({32, 32})), device.get());
        EXPECT_EQ(kept.device(), device.get());
    }
    EXPECT_FALSE(kept.is_allocated());
    EXPECT_EQ(kept.device(), nullptr);
    EXPECT_EQ(kept.logical_shape(), ttnn::Shape({32, 32}));
}

TEST(CompatTensor, IsRefusedWithOneLine) {
    const auto device = ttnn::open_mesh_device(0);
    const ttnn::Tensor a = ttnn::create_device_tensor(spec_of(ttnn::Shape({32, 32})), device.get());
    const ttnn::Tensor b = ttnn::create_device_tensor(spec_of(ttnn::Shape({64, 64})), device.get());
    EXPECT_THROW(ttnn::add(a, b), std::runtime_error);
    EXPECT_THROW(ttnn::relu(ttnn::Tensor()), std::runtime_error);
    EXPECT_THROW((void)ttnn::create_device_tensor(spec_of(ttnn::Shape({1, 1, 65536, 8192})), device.get()),
                 std::runtime_error);
    EXPECT_THROW((void)ttnn::create_device_tensor(spec_of(ttnn::Shape({32, 32})), nullptr),
                 std::runtime_error);
}

TEST(CompatDevice, HasTheBoardsFigures) {
    const auto device = ttnn::MeshDevice::create_unit_mesh(0, 1 << 15);
    EXPECT_EQ(device->compute_with_storage_grid_size(), ttnn::CoreCoord(8, 8));
    EXPECT_EQ(device->arch(), tt::ARCH::WORMHOLE_B0);
    EXPECT_EQ(device->num_dram_channels(), 12);
    EXPECT_EQ(device->shape(), ttnn::MeshShape(1, 1));
    EXPECT_EQ(device->num_program_cache_entries(), 0U);
    {
        const ttnn::Tensor a = ttnn::create_device_tensor(spec_of(ttnn::Shape({32, 32})), device.get());
        ttnn::relu(a);
    }
    EXPECT_EQ(device->num_program_cache_entries(), 1U);
    device->disable_and_clear_program_cache();
    EXPECT_EQ(device->num_program_cache_entries(), 0U);
    EXPECT_THROW((void)device->mesh_command_queue(1), std::runtime_error);
    EXPECT_TRUE(device->close());
    EXPECT_FALSE(device->close());
}

}  // namespace
