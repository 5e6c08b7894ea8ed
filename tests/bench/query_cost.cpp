// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The cost of a compiler's queries (runtime/query/query.hpp), in microseconds of one run, medians over operations: known and
// new, on an empty core and beside eight tensors that are alive; two threads beside one; memory over many queries and states.
//
//     query_cost [QUERIES [STATES]]     the loop of the memory's measurement: by default 10,000,000 queries and 100,000 states

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtime/operations.hpp"
#include "runtime/query/query.hpp"

namespace {

using namespace tilemeter;
using Clock = std::chrono::steady_clock;

/// One operation's calls, one for each number.
struct Case {
    const char* name;
    std::function<std::vector<TensorSpec>(std::uint32_t)> inputs;
    query::Function call;
};

TensorSpec spec(const Shape& shape, const MemoryConfig& memory = DRAM_MEMORY_CONFIG) {
    return {shape, DataType::BFLOAT16, Layout::TILE, memory};
}

std::uint32_t rows(std::uint32_t number) {
    return 32 * (1 + number % 200);
}
std::uint32_t columns(std::uint32_t number) {
    return 64 * (1 + number / 200);
}

std::vector<Case> cases() {
    const auto one = [](std::uint32_t i) { return std::vector{spec({1, 1, rows(i), columns(i)})}; };
    const auto in_l1 = [](std::uint32_t i) {
        return std::vector{spec({1, 1, rows(i), columns(i)}, L1_MEMORY_CONFIG)};
    };
    const auto two = [](std::uint32_t i) {
        return std::vector{spec({1, 1, rows(i), columns(i)}), spec({1, 1, rows(i), columns(i)})};
    };
    const auto product = [](std::uint32_t i) {
        return std::vector{spec({1, 1, rows(i), columns(i)}), spec({1, 1, columns(i), 256})};
    };
    using Inputs = std::span<const Tensor>;
    return {
        {"add", two, [](Inputs x) { return std::vector{add(x[0], x[1])}; }},
        {"relu", one, [](Inputs x) { return std::vector{relu(x[0])}; }},
        {"relu in L1", in_l1, [](Inputs x) { return std::vector{relu(x[0])}; }},
        {"softmax", one, [](Inputs x) { return std::vector{softmax(x[0], -1)}; }},
        {"layer_norm", one, [](Inputs x) { return std::vector{layer_norm(x[0])}; }},
        {"transpose", one, [](Inputs x) { return std::vector{transpose(x[0], -1, -2)}; }},
        {"sum", one, [](Inputs x) { return std::vector{sum(x[0], -1)}; }},
        {"typecast", one, [](Inputs x) { return std::vector{typecast(x[0], DataType::FLOAT32)}; }},
        {"matmul", product, [](Inputs x) { return std::vector{matmul(x[0], x[1])}; }},
    };
}

double microseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
}

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

/// The median time of a call of `work(i)`, i from 0.
template <typename Work>
double median_time(std::uint32_t count, Work work) {
    std::vector<double> times;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Clock::time_point begin = Clock::now();
        work(i);
        times.push_back(microseconds(Clock::now() - begin));
    }
    return median(std::move(times));
}

query::AllocatorState eight_tensors(const Device& device) {
    std::vector<query::AllocationRecord> records;
    std::uint64_t address = device.memory().allocator(MemoryType::kL1).end();
    for (std::uint64_t i = 0; i < 8; ++i) {
        const std::uint64_t size = 8192 + 4096 * (i % 3);
        address -= size + (i % 2) * 2048;  // with holes
        records.push_back({MemoryType::kL1, address, size});
    }
    return query::AllocatorState::of(device).with_allocations(records);
}

void require_answer(const query::Answer& answer) {
    if (answer.status == query::ExecutionStatus::Success) return;
    std::printf("a query failed: %s\n", answer.error.c_str());
    std::exit(1);
}

std::uint64_t resident_kib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:")) return std::strtoull(line.c_str() + 6, nullptr, 10);
    return 0;
}

/// Known queries of all operations, `count` in all: seconds.
double run_known(const std::shared_ptr<Device>& device, const std::vector<Case>& all, std::uint32_t count) {
    const Clock::time_point begin = Clock::now();
    for (std::uint32_t i = 0; i < count; ++i) {
        const Case& each = all[i % all.size()];
        thread_local std::vector<std::vector<TensorSpec>> inputs;
        if (inputs.size() < all.size()) inputs.push_back(each.inputs(7));
        require_answer(query::ask(device, inputs[i % all.size()], each.call));
    }
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

int main(int count, char** arguments) {
    const std::uint32_t queries =
        count > 1 ? static_cast<std::uint32_t>(std::atoi(arguments[1])) : 10'000'000;
    const std::uint32_t states = count > 2 ? static_cast<std::uint32_t>(std::atoi(arguments[2])) : 100'000;
    const std::shared_ptr<Device> device = open_device();
    const std::vector<Case> all = cases();
    const query::AllocatorState state = eight_tensors(*device);

    std::printf("%-12s %8s %8s %12s %12s   microseconds\n", "", "known", "new", "known, 8", "new, 8");
    std::array<std::vector<double>, 4> times;
    for (const Case& each : all) {
        const std::vector<TensorSpec> inputs = each.inputs(7);
        const auto known = [&](std::uint32_t) { require_answer(query::ask(device, inputs, each.call)); };
        const auto known_beside = [&](std::uint32_t) {
            require_answer(query::ask_beside(device, state, inputs, each.call));
        };
        std::vector<std::vector<TensorSpec>> others;
        for (std::uint32_t i = 0; i < 2000; ++i)
            others.push_back(each.inputs(200 + i));
        std::array<double, 4> here{};
        here[1] = median_time(
            1000, [&](std::uint32_t i) { require_answer(query::ask(device, others[i], each.call)); });
        here[3] = median_time(1000, [&](std::uint32_t i) {
            require_answer(query::ask_beside(device, state, others[1000 + i], each.call));
        });
        known(0);
        here[0] = median_time(20'000, known);
        known_beside(0);
        here[2] = median_time(20'000, known_beside);
        std::printf("%-12s %8.2f %8.2f %12.2f %12.2f\n", each.name, here[0], here[1], here[2], here[3]);
        for (std::size_t i = 0; i < 4; ++i)
            times[i].push_back(here[i]);
    }
    std::printf("%-12s %8.2f %8.2f %12.2f %12.2f\n", "median", median(times[0]), median(times[1]),
                median(times[2]), median(times[3]));

    constexpr std::uint32_t kByThread = 400'000;
    std::vector<double> gains;
    for (int round = 0; round < 5; ++round) {
        const double alone = run_known(device, all, kByThread);
        const Clock::time_point begin = Clock::now();
        std::thread other([&] { run_known(device, all, kByThread); });
        run_known(device, all, kByThread);
        other.join();
        gains.push_back(2 * alone / std::chrono::duration<double>(Clock::now() - begin).count());
    }
    std::printf("two threads: %.2f times one\n", median(gains));

    run_known(device, all, 100'000);
    std::vector<query::AllocatorState> kept(states, state);
    const std::vector<TensorSpec> inputs = all[2].inputs(7);
    for (std::uint32_t i = 0; i < states; ++i)
        kept[i] = query::ask_beside(device, i % 8 == 0 ? state : kept[i - 1], inputs, all[2].call).new_state;
    const std::uint64_t before = resident_kib();
    run_known(device, all, queries);
    for (std::uint32_t i = 0; i < states; ++i)
        kept[i] =
            query::ask_beside(device, kept[(i * 7919ULL) % states].with_allocations({}), inputs, all[2].call)
                .new_state;
    std::printf("%u queries, %u states: resident memory %llu KiB before, %llu KiB after\n", queries, states,
                static_cast<unsigned long long>(before), static_cast<unsigned long long>(resident_kib()));
    close_device(*device);
}
