// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A processor that keeps a line for each call, for tests of processors and hooks.

#pragma once

#include <algorithm>
#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <internal/graph_function_abort.hpp>
#include <nlohmann/json.hpp>

#include "tt-metalium/graph_tracking.hpp"
#include "ttnn/core.hpp"
#include "ttnn/device.hpp"

namespace tt::tt_metal::test {

using Calls = std::vector<std::string>;

inline ttnn::TensorSpec spec_of(const ttnn::Shape& shape, ttnn::DataType dtype = ttnn::DataType::BFLOAT16) {
    return {shape, ttnn::TensorLayout(dtype, ttnn::PageConfig(ttnn::Layout::TILE), ttnn::L1_MEMORY_CONFIG)};
}

// What a processor was told, a line for each call.
class Telling : public IGraphProcessor {
public:
    void track_allocate(const Buffer* buffer) override {
        add("allocate " + std::to_string(buffer->size()) + " at " + std::to_string(buffer->address()));
        last_allocated = buffer;
        device = buffer->device();
    }
    void track_deallocate(Buffer* buffer) override {
        add("free " + std::to_string(buffer->size()) + " at " + std::to_string(buffer->address()));
        last_freed = buffer;
    }
    void track_allocate_cb(const CoreRangeSet& cores, std::uint64_t address, std::uint64_t size,
                           bool is_global, const IDevice* on) override {
        add("circular buffer " + std::to_string(size) + (is_global ? " of a tensor" : ""));
        num_cores = cores.num_cores();
        lowest = std::min(lowest, address);
        EXPECT_NE(on, nullptr);
    }
    void track_allocate_dataflow_buffer(const CoreRangeSet& cores, std::uint64_t address, std::uint64_t size,
                                        bool /*borrows*/, const IDevice* /*on*/) override {
        add("dataflow buffer " + std::to_string(size));
        num_cores = cores.num_cores();
        lowest = std::min(lowest, address);
    }
    void track_program(Program* program, const IDevice* on) override {
        add("program of " + std::to_string(program->circular_buffers().size()));
        EXPECT_NE(on, nullptr);
    }
    void track_function_start(std::string_view name, std::span<TrackedArgument> arguments) override {
        std::string line = "begin " + std::string(name);
        for (TrackedArgument& each : arguments) {
            if (each.value.type() == typeid(std::reference_wrapper<const ttnn::Tensor>)) {
                const auto& tensor =
                    std::any_cast<std::reference_wrapper<const ttnn::Tensor>>(each.value).get();
                line += " tensor " + std::to_string(tensor.logical_volume());
            } else if (each.value.type() ==
                       typeid(
                           std::reference_wrapper<std::vector<std::reference_wrapper<const ttnn::Tensor>>>)) {
                const auto& tensors =
                    std::any_cast<
                        std::reference_wrapper<std::vector<std::reference_wrapper<const ttnn::Tensor>>>>(
                        each.value)
                        .get();
                for (const ttnn::Tensor& tensor : tensors)
                    line += " listed " + std::to_string(tensor.logical_volume());
            }
            texts.push_back(each.to_string_fn(each.value));
        }
        add(line);
    }
    void track_function_end() override { add("end"); }
    void track_function_end(const std::any& output) override {
        if (const auto* abort = std::any_cast<internal::GraphFunctionAbort>(&output))
            return add(abort->unwind_all ? "unwind" : "abort");
        if (const auto* tensor = std::any_cast<std::reference_wrapper<ttnn::Tensor>>(&output))
            return add("end with " + std::to_string(tensor->get().logical_volume()));
        add("end with something");
    }
    nlohmann::json end_capture() override { return calls; }

    void add(const std::string& call) {
        calls.push_back(call);
        if (on_call) on_call(call);
    }

    Calls calls, texts;
    const Buffer* last_allocated = nullptr;
    const Buffer* last_freed = nullptr;
    const IDevice* device = nullptr;
    std::uint32_t num_cores = 0;
    std::uint64_t lowest = ~std::uint64_t{0};
    std::function<void(const std::string& call)> on_call;
};

class Pushed {
public:
    explicit Pushed(std::shared_ptr<IGraphProcessor> processor) {
        GraphTracker::instance().push_processor(std::move(processor));
    }
    ~Pushed() { GraphTracker::instance().pop_processor(); }
    Pushed(const Pushed&) = delete;
    Pushed& operator=(const Pushed&) = delete;
};

class CompatTracker : public testing::Test {
protected:
    void SetUp() override { GraphTracker::instance().clear(); }
    void TearDown() override { GraphTracker::instance().clear(); }
    ttnn::Tensor made(const ttnn::Shape& shape) const {
        return ttnn::create_device_tensor(spec_of(shape), device_.get());
    }

    const std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0);
    const std::shared_ptr<Telling> telling_ = std::make_shared<Telling>();
};

}  // namespace tt::tt_metal::test
