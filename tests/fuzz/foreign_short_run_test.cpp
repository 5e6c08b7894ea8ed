// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The work of the fuzzer of other tools' captures, for seconds and with any compiler. It aborts where something is wrong.
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "report/foreign/pickle/writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tilemeter {
namespace {

using foreign::pickle::Writer;

// One device that takes and gives back memory, and what it has in the end.
std::string snapshot() {
    std::string bytes(1, '\0');
    Writer writer([&bytes](std::string_view piece) { bytes += piece; });
    const auto number = [&](std::string_view key, std::uint64_t value) {
        writer.text(key);
        writer.integer(value);
    };
    writer.begin_dict();
    writer.text("segments");
    writer.begin_list();
    writer.begin_dict();
    number("device", 0);
    number("address", 1 << 20);
    number("total_size", 1 << 14);
    writer.text("blocks");
    writer.begin_list();
    for (std::uint64_t block = 0; block < 4; ++block) {
        writer.begin_dict();
        number("address", (1 << 20) + 4096 * block);
        number("size", 4096);
        writer.text("state");
        writer.text(block % 2 == 0 ? "active_allocated" : "inactive");
        writer.end_dict();
    }
    writer.end_list();
    writer.end_dict();
    writer.end_list();
    writer.text("device_traces");
    writer.begin_list();
    writer.begin_list();
    for (std::uint64_t entry = 0; entry < 40; ++entry) {
        writer.begin_dict();
        writer.text("action");
        writer.text(entry % 3 == 0 ? "free_completed" : "alloc");
        number("addr", (1 << 20) + 4096 * (entry % 4));
        number("size", 4000);
        number("time_us", 1000 + entry);
        writer.text("frames");
        writer.begin_list();
        writer.begin_dict();
        writer.text("name");
        writer.text("forward");
        writer.text("filename");
        writer.text("net.py");
        number("line", entry);
        writer.end_dict();
        writer.end_list();
        writer.end_dict();
    }
    writer.end_list();
    writer.end_list();
    writer.end_dict();
    writer.finish();
    return bytes;
}

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value > 127; value >>= 7U)
        bytes += static_cast<char>((value & 127U) | 128U);
    return bytes + static_cast<char>(value);
}

std::string field(std::uint64_t number, std::uint64_t value) {
    return varint(number << 3U) + varint(value);
}

std::string field(std::uint64_t number, const std::string& bytes) {
    return varint(number << 3U | 2U) + varint(bytes.size()) + bytes;
}

// Ten buffers, of which at most three are alive, in one temporary allocation beside an argument.
std::string module() {
    std::string buffers, events;
    for (std::uint64_t number = 1; number <= 10; ++number) {
        buffers += field(1, field(1, number) + field(2, 256 * number));
        events += field(1, field(2, number) + field(4, "made." + std::to_string(number)));
        if (number > 2)
            events += field(1, field(1, 1) + field(2, number - 2) + field(4, std::string("last")));
    }
    const std::string allocations =
        field(3, field(1, 0) + field(2, 6912)) + field(3, field(1, 1) + field(2, 4096) + field(5, 1));
    return '\1' + field(1, field(1, std::string("jit_f"))) +
           field(3, buffers + allocations + field(4, events + field(3, 0)));
}

void run(const std::string& input) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

TEST(ForeignFuzzShortRun, damaged_captures) {
    const std::string wholes[] = {snapshot(), module()};
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        std::string input = wholes[i % 2];
        run(input);
        for (unsigned change = random() % 4; change > 0; --change) {
            const std::size_t at = 1 + random() % (input.size() - 1);
            if (random() % 3 == 0)
                input.erase(at, random() % 16);
            else if (random() % 3 == 0)
                input.insert(at, input.substr(1 + random() % (input.size() - 1), random() % 64));
            else
                input[at] = static_cast<char>(random());
        }
        if (random() % 8 == 0) input.resize(1 + random() % (input.size() - 1));
        run(input);
    }
}

}  // namespace
}  // namespace tilemeter
