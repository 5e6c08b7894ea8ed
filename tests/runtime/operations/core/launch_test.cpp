// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The steps around every operation: devices, wrong input, the program cache, time limits.

#include "runtime/operations/core/launch.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/interruption.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/eltwise/unary.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "runtime/tensor/tensor.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

// An operation that copies its input, after a rest.
struct SlowCopy {
    static constexpr std::string_view kName = "SlowCopyDeviceOperation";
    static constexpr std::string_view kAttributesName = "SlowCopyParams";

    std::chrono::milliseconds rest;

    auto attributes() const { return std::make_tuple(rest.count()); }
    TensorSpecs infer(SpecsView inputs) const { return {inputs[0]}; }
    ProgramPlan plan(SpecsView, SpecsView, const DeviceDescription&) const {
        return {{"SlowCopyFactory", 0}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const {
        std::this_thread::sleep_for(rest);
        return {*inputs[0]};
    }
};

// An operation whose program takes as much L1 as it is told to.
struct Occupy {
    static constexpr std::string_view kName = "OccupyDeviceOperation";
    static constexpr std::string_view kAttributesName = "OccupyParams";

    ProgramMemoryKind kind;
    std::uint64_t size;

    auto attributes() const { return std::make_tuple(kind == ProgramMemoryKind::kCircularBuffer, size); }
    TensorSpecs infer(SpecsView inputs) const { return {inputs[0]}; }
    ProgramPlan plan(SpecsView, SpecsView, const DeviceDescription& device) const {
        return {{"OccupyFactory", 0}, {{kind, size, whole_grid(device.compute_grid), ProgramMemory::kOwn}}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView) const { return {*inputs[0]}; }
};

class TimeLimit {
public:
    explicit TimeLimit(std::chrono::nanoseconds limit) { set_operation_timeout(limit); }
    ~TimeLimit() { set_operation_timeout(std::chrono::nanoseconds(0)); }
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;
};

TEST(Launch, of_an_operation_that_outlasts_its_time_limit_throws_and_frees_its_output) {
    const test::OpenDevice device;
    const Tensor input = zeros({32, 32}, bfloat16, TILE_LAYOUT, device.get());
    const DeviceMemory before = device->memory();
    const TimeLimit limit(std::chrono::milliseconds(5));
    EXPECT_THROW(launch(SlowCopy{std::chrono::milliseconds(300)}, {input}), OperationTimeoutError);
    EXPECT_EQ(device->memory(), before);
}

/// In a process of its own, with the limit that its environment says: what becomes of a slow operation.
[[noreturn]] void launch_slowly(const char* seconds, bool program_sets_none) {
    setenv("TT_METAL_OPERATION_TIMEOUT_SECONDS", seconds, 1);
    if (program_sets_none) set_operation_timeout(std::chrono::nanoseconds(0));
    try {
        const test::OpenDevice device;
        const Tensor input = zeros({32, 32}, bfloat16, TILE_LAYOUT, device.get());
        launch(SlowCopy{std::chrono::milliseconds(300)}, {input});
        std::cerr << "in time";
    } catch (const OperationTimeoutError&) {
        std::cerr << "too late";
    } catch (const std::invalid_argument& error) {
        std::cerr << error.what();
    }
    std::exit(0);
}

TEST(Launch, takes_its_time_limit_from_the_environment_unless_the_program_sets_one) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(launch_slowly("0.005", false), testing::ExitedWithCode(0), "too late");
    EXPECT_EXIT(launch_slowly("30", false), testing::ExitedWithCode(0), "in time");
    EXPECT_EXIT(launch_slowly("", false), testing::ExitedWithCode(0), "in time");
    EXPECT_EXIT(launch_slowly("0.005", true), testing::ExitedWithCode(0), "in time");
    for (const char* bad : {"soon", "5s", "-1", "0", "nan", "1e300"})
        EXPECT_EXIT(
            launch_slowly(bad, false), testing::ExitedWithCode(0),
            std::string("TT_METAL_OPERATION_TIMEOUT_SECONDS: expected a number of seconds above 0, found '") +
                bad + "'");
}

TEST(Launch, within_the_time_limit_gives_the_values) {
    const test::OpenDevice device;
    const Tensor input = full({32, 32}, 3, bfloat16, TILE_LAYOUT, device.get());
    const TimeLimit limit(std::chrono::seconds(20));
    EXPECT_EQ(launch(SlowCopy{std::chrono::milliseconds(1)}, {input}).to_vector<float>()[7], 3);
}

// Asks a check in this thread for as long as it lives.
class AskedCheck {
public:
    explicit AskedCheck(InterruptionCheck check) { set_interruption_check(check); }
    ~AskedCheck() { set_interruption_check(nullptr); }
    AskedCheck(const AskedCheck&) = delete;
    AskedCheck& operator=(const AskedCheck&) = delete;
};

struct UserStops {};

TEST(Launch, of_an_operation_that_the_user_stops_throws_and_frees_its_output) {
    const test::OpenDevice device;
    const Tensor input = full({1024, 1024}, 3, bfloat16, TILE_LAYOUT, device.get());
    const DeviceMemory before = device->memory();
    const AskedCheck check([] { throw UserStops(); });
    const auto begin = std::chrono::steady_clock::now();
    try {
        launch(SlowCopy{std::chrono::seconds(20)}, {input});
        FAIL() << "expected an error";
    } catch (const OperationInterruptedError& error) {
        EXPECT_STREQ(error.what(), "SlowCopyDeviceOperation: interrupted");
        EXPECT_THROW(std::rethrow_exception(error.cause), UserStops);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    EXPECT_EQ(device->memory(), before);
    set_interruption_check([] {});
    EXPECT_EQ(launch(SlowCopy{std::chrono::milliseconds(1)}, {input}).to_vector<float>()[7], 3);
}

TEST(Launch, of_an_operation_with_few_values_is_not_asked_about) {
    const test::OpenDevice device;
    const Tensor input = full({32, 32}, 3, bfloat16, TILE_LAYOUT, device.get());
    const AskedCheck check([] { throw UserStops(); });
    EXPECT_EQ(launch(SlowCopy{std::chrono::milliseconds(120)}, {input}).to_vector<float>()[7], 3);
}

TEST(Launch, with_a_check_and_a_time_limit_ends_by_the_limit) {
    const test::OpenDevice device;
    const Tensor input = zeros({1024, 1024}, bfloat16, TILE_LAYOUT, device.get());
    const AskedCheck check([] {});
    const TimeLimit limit(std::chrono::milliseconds(120));
    EXPECT_THROW(launch(SlowCopy{std::chrono::milliseconds(900)}, {input}), OperationTimeoutError);
}

TEST(Launch, on_a_closed_device_says_so) {
    const std::shared_ptr<Device> device = open_device(0);
    const Tensor input = zeros({32, 32}, bfloat16, TILE_LAYOUT, device);
    close_device(*device);
    EXPECT_EQ(test::message_of([&] { add(input, 1.0F); }),
              "BinaryNgDeviceOperation: input tensor Shape([32, 32]): device 0 is closed");
}

TEST(Launch, on_a_deallocated_tensor_says_so) {
    const test::OpenDevice device;
    Tensor input = zeros({32, 32}, bfloat16, TILE_LAYOUT, device.get());
    input.deallocate();
    EXPECT_EQ(test::message_of([&] { add(input, 1.0F); }),
              "BinaryNgDeviceOperation: input tensor Shape([32, 32]): expected allocated, was deallocated");
    EXPECT_NE(test::message_of([&] { input.to_vector<float>(); }), "");
}

TEST(Launch, on_a_host_tensor_says_so) {
    const Tensor input = zeros({32, 32});
    EXPECT_EQ(test::message_of([&] { add(input, 1.0F); }),
              "Device Operations expect device tensors as inputs: BinaryNgDeviceOperation: input tensor "
              "Shape([32, 32]): expected on a device, is on the host");
}

TEST(Launch, on_tensors_of_two_devices_says_so) {
    DeviceOptions options;
    options.description = "n300";
    const std::shared_ptr<Device> first = open_device(0, options);
    const std::shared_ptr<Device> second = open_device(1, options);
    const Tensor a = zeros({32, 32}, bfloat16, TILE_LAYOUT, first);
    const Tensor b = zeros({32, 32}, bfloat16, TILE_LAYOUT, second);
    EXPECT_EQ(test::message_of([&] { add(a, b); }),
              "BinaryNgDeviceOperation: expected all inputs on device 0, got one on device 1");
    close_device(*first);
    close_device(*second);
}

TEST(Launch, of_program_memory_that_meets_a_tensor_names_both_addresses) {
    const test::OpenDevice device;
    const Tensor input = empty({1, 1, 2048, 9600}, bfloat16, TILE_LAYOUT, device.get(), L1_MEMORY_CONFIG);
    const std::uint64_t lowest = input.buffer().address() - input.buffer().size_per_bank_bytes();
    const std::uint64_t size = 200000;
    try {
        launch(Occupy{ProgramMemoryKind::kDataflowBuffer, size}, {input});
        FAIL() << "expected a clash";
    } catch (const OutOfMemoryError&) {
        FAIL() << "expected a clash, the output did not fit";
    } catch (const ProgramMemoryClashError& error) {
        EXPECT_EQ(error.region_end, 105824 + size);
        EXPECT_EQ(error.lowest_buffer_address, lowest);
        EXPECT_NE(std::string(error.what()).find("dataflow buffers"), std::string::npos);
    }
}

TEST(Launch, of_more_program_memory_than_a_core_has_is_an_error_of_its_own) {
    const test::OpenDevice device;
    const Tensor input = empty({32, 32}, bfloat16, TILE_LAYOUT, device.get());
    EXPECT_THROW(launch(Occupy{ProgramMemoryKind::kCircularBuffer, 1499136}, {input}),
                 ProgramMemoryTooLargeError);
}

TEST(Launch, a_second_time_finds_the_program_in_the_cache) {
    const test::OpenDevice device;
    const Tensor input = empty({32, 32}, bfloat16, TILE_LAYOUT, device.get());
    const auto programs = [&] {
        return device->with_state(
            [](const DeviceMemory&, const ProgramCache& cache) { return cache.size(); });
    };
    const Tensor first = add(input, 1.0F);
    EXPECT_EQ(programs(), 1U);
    const Tensor again = add(input, 1.0F);
    EXPECT_EQ(programs(), 1U);
    const Tensor another_number = add(input, 2.0F);  // which TT-NN's key leaves out
    EXPECT_EQ(programs(), 1U);
    const Tensor different = relu(input);
    EXPECT_EQ(programs(), 2U);
}

TEST(OpenDevice, that_is_open_already_says_so) {
    const test::OpenDevice device;
    EXPECT_EQ(test::message_of([] { open_device(0); }), "device 0 is open already");
}

TEST(OpenDevice, leaves_the_chip_free_when_it_fails) {
    DeviceOptions options;
    options.l1_small_size = std::uint64_t{1} << 40U;
    EXPECT_EQ(
        test::message_of([&] { open_device(0, options); }),
        "l1_small_size: expected less than the 1393312 B of a bank, found 1099511627776 B in each bank");
    const test::OpenDevice device;
    EXPECT_TRUE(device->is_open());
}

TEST(MeshDevice, works_in_lock_step_with_values_per_chip) {
    DeviceOptions options;
    options.description = "n300";
    const std::shared_ptr<Device> mesh = open_mesh_device({1, 2}, options);
    ChipValues shards;
    shards.push_back(HostArray::from_floats(std::vector<float>(1024, 1), bfloat16, {32, 32}));
    shards.push_back(HostArray::from_floats(std::vector<float>(1024, 5), bfloat16, {32, 32}));
    const Tensor host =
        Tensor::on_host({{32, 32}, bfloat16, TILE_LAYOUT, DRAM_MEMORY_CONFIG}, std::move(shards));
    const Tensor sum = add(to_device(host, mesh), 1.0F);
    EXPECT_EQ(sum.to_vector<float>(0)[0], 2);
    EXPECT_EQ(sum.to_vector<float>(1)[0], 6);
    EXPECT_EQ(static_cast<unsigned>(mesh->id()), 2U);
    close_device(*mesh);
}

}  // namespace
}  // namespace tilemeter
