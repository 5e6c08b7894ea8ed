// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A program that ends while devices, tensors and a capture are open, in statics and thread_locals, as generated programs do.
// It has to end without a crash: usage: compat_lifetimes static | thread_local | thread | exit

#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ttnn/device.hpp"
#include "ttnn/graph/graph_processor.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"

namespace {

std::shared_ptr<ttnn::MeshDevice> static_device;  // NOLINT: what the program is about
std::optional<ttnn::Tensor> static_tensor;        // NOLINT

ttnn::MeshDevice* device_of_thread() {
    static thread_local const auto kDevice = ttnn::MeshDevice::create_unit_mesh(0, 1 << 16);
    return kDevice.get();
}

std::vector<ttnn::Tensor>& cache_of_thread() {
    static thread_local std::vector<ttnn::Tensor> cache;
    return cache;
}

ttnn::Tensor ones_on(ttnn::MeshDevice& device) {
    return ttnn::ones(ttnn::Shape({32, 32}), ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, device,
                      ttnn::L1_MEMORY_CONFIG);
}

void run_in_thread() {
    cache_of_thread().push_back(ones_on(*device_of_thread()));
    cache_of_thread().push_back(ttnn::add(cache_of_thread()[0], cache_of_thread()[0]));
}

}  // namespace

int main(int count, char** arguments) {
    const std::string how = count == 2 ? arguments[1] : "";
    if (how != "static" && how != "thread_local" && how != "thread" && how != "exit") {
        std::cerr << "compat_lifetimes: expected static, thread_local, thread or exit, found '" << how
                  << "'\n";
        return 2;
    }
    if (how == "thread") {
        std::thread(run_in_thread).join();
        return 0;
    }
    cache_of_thread();  // destroyed after the thread's device
    if (how == "static") static_device = ttnn::open_mesh_device(0);
    static_tensor = ones_on(static_device ? *static_device : *device_of_thread());
    ttnn::graph::GraphProcessor::begin_graph_capture(ttnn::graph::RunMode::NORMAL);
    cache_of_thread().push_back(ttnn::add(*static_tensor, *static_tensor));
    if (how == "exit") std::exit(0);  // NOLINT(concurrency-mt-unsafe): one thread
    return 0;
}
