// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost of planning one operation in a NO_DISPATCH capture, from the call to its return, its output freed: the
// second call of the same program (hit) and the first (miss). ttnn_planning.py measures TT-NN's own.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "capture/record/window.hpp"
#include "runtime/operations.hpp"

namespace {

using namespace tilemeter;
using Clock = std::chrono::steady_clock;

/// A family of calls, one for each number.
struct Case {
    std::string name;
    /// Makes the inputs of number i and gives the call on them.
    std::function<std::function<void()>(const std::shared_ptr<Device>&, std::uint32_t)> make;
};

Tensor tensor(const std::shared_ptr<Device>& device, const Shape& shape, Layout layout = Layout::TILE) {
    const TensorSpec spec{shape, DataType::BFLOAT16, layout, DRAM_MEMORY_CONFIG};
    return Tensor::on_device(spec, Buffer::allocate(device, spec));
}

// Rows that differ with the number.
std::uint32_t rows(std::uint32_t number) {
    return 32 * (1 + number % 200);
}
std::uint32_t columns(std::uint32_t number) {
    return 64 * (1 + number / 200);
}

std::vector<Case> cases() {
    const auto of_one = [](auto call) {
        return [call](const std::shared_ptr<Device>& device, std::uint32_t number) {
            const Tensor a = tensor(device, {1, 1, rows(number), columns(number)});
            return std::function<void()>([=] { call(a); });
        };
    };
    return {
        {"add",
         [](const std::shared_ptr<Device>& device, std::uint32_t number) {
             const Tensor a = tensor(device, {1, 1, rows(number), columns(number)});
             return std::function<void()>([=] { add(a, a); });
         }},
        {"relu", of_one([](const Tensor& a) { relu(a); })},
        {"softmax", of_one([](const Tensor& a) { softmax(a, -1); })},
        {"layer_norm", of_one([](const Tensor& a) { layer_norm(a); })},
        {"transpose", of_one([](const Tensor& a) { transpose(a, -1, -2); })},
        {"sum", of_one([](const Tensor& a) { sum(a, -1); })},
        {"typecast", of_one([](const Tensor& a) { typecast(a, DataType::FLOAT32); })},
        {"matmul",
         [](const std::shared_ptr<Device>& device, std::uint32_t number) {
             const Tensor a = tensor(device, {1, 1, rows(number), columns(number)});
             const Tensor b = tensor(device, {1, 1, columns(number), 256});
             return std::function<void()>([=] { matmul(a, b); });
         }},
        {"linear",
         [](const std::shared_ptr<Device>& device, std::uint32_t number) {
             const Tensor a = tensor(device, {1, 1, rows(number), columns(number)});
             const Tensor b = tensor(device, {1, 1, columns(number), 256});
             const Tensor bias = tensor(device, {1, 256});
             return std::function<void()>([=] { linear(a, b, bias); });
         }},
        {"concat",
         [](const std::shared_ptr<Device>& device, std::uint32_t number) {
             const Tensor a = tensor(device, {1, 1, rows(number), columns(number)});
             return std::function<void()>([=] { concat({a, a}, -1); });
         }},
    };
}

double seconds_of(const std::function<void()>& work) {
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// One iteration is a capture of its own: a recording must not grow without end.
void planning(benchmark::State& state, const Case& each, bool hit) {
    constexpr std::uint32_t kCalls = 1000;
    const std::shared_ptr<Device> device = open_device();
    std::vector<std::function<void()>> calls;
    if (hit) {
        calls.assign(kCalls, each.make(device, 7));
    } else {
        for (std::uint32_t i = 0; i < kCalls; ++i)
            calls.push_back(each.make(device, i));
    }
    for (auto unused : state) {
        const record::WindowId window = record::open_window(record::RunMode::NO_DISPATCH);
        if (hit) calls.front()();
        state.SetIterationTime(seconds_of([&] {
                                   for (const auto& call : calls)
                                       call();
                               }) /
                               kCalls);
        record::close_window(window);
    }
    calls.clear();
    close_device(*device);
}

const bool kRegistered = [] {
    for (const Case& each : cases()) {
        for (const bool hit : {true, false}) {
            benchmark::RegisterBenchmark((each.name + (hit ? "/hit" : "/miss")).c_str(),
                                         [=](benchmark::State& state) { planning(state, each, hit); })
                ->UseManualTime()
                ->Iterations(20)
                ->Unit(benchmark::kMicrosecond);
        }
    }
    return true;
}();

}  // namespace
