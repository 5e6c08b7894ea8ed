// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/tensor/tensor.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

TEST(Tensor, goes_to_the_device_and_back) {
    const test::OpenDevice device;
    const Tensor host = arange(0, 96, 1, float32);
    const Tensor there = to_device(host, device.get(), L1_MEMORY_CONFIG);
    EXPECT_EQ(there.storage_type(), StorageType::DEVICE);
    EXPECT_EQ(from_device(there).to_vector<float>(), host.to_vector<float>());
}

TEST(Tensor, frees_its_memory_with_its_last_handle) {
    const test::OpenDevice device;
    const DeviceMemory before = device->memory();
    {
        const Tensor tensor = zeros({64, 64}, bfloat16, TILE_LAYOUT, device.get());
        const Tensor same =
            tensor;  // NOLINT(performance-unnecessary-copy-initialization): the copy is the point
        EXPECT_EQ(same.id(), tensor.id());
        EXPECT_NE(device->memory(), before);
    }
    EXPECT_EQ(device->memory(), before);
}

TEST(Tensor, viewed_under_another_shape_shares_memory_and_values) {
    const test::OpenDevice device;
    const Tensor tensor = arange(0, 64, 1, float32, device.get());
    const Tensor view = reshape_view(tensor, {1, 64});
    EXPECT_NE(view.id(), tensor.id());
    EXPECT_EQ(view.buffer().id(), tensor.buffer().id());
    EXPECT_EQ(view.to_vector<float>(), tensor.to_vector<float>());
}

TEST(Tensor, that_others_share_is_freed_by_force_only) {
    const test::OpenDevice device;
    Tensor tensor = arange(0, 64, 1, float32, device.get());
    const Tensor view = reshape_view(tensor, {1, 64});
    tensor.deallocate(false);
    EXPECT_TRUE(view.is_allocated());
    tensor.deallocate(true);
    EXPECT_FALSE(view.is_allocated());
}

TEST(Tensor, after_its_device_is_closed_is_not_allocated) {
    const std::shared_ptr<Device> device = open_device(0);
    const Tensor tensor = zeros({32}, float32, ROW_MAJOR_LAYOUT, device);
    close_device(*device);
    EXPECT_FALSE(tensor.is_allocated());
}

TEST(Tensor, that_is_empty_throws_whatever_is_asked) {
    const Tensor nothing;
    EXPECT_FALSE(nothing.is_allocated());
    EXPECT_THROW(nothing.shape(), RuntimeError);
    EXPECT_EQ(nothing.to_string(), "Tensor()");
}

}  // namespace
}  // namespace tilemeter
