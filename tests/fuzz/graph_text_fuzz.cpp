// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Texts of graphs: as they come, or a random graph's with changes that the input describes. What is accepted reads
// back as the equal graph; what verify() accepts goes through passes and views; an error is one line.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "capture/ir/error.hpp"
#include "capture/ir/fx_table.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/passes/passes.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/tripy_text.hpp"
#include "capture/ir/verify.hpp"
#include "tests/capture/ir/operations.hpp"
#include "tests/capture/ir/random_graph.hpp"
#include "tests/capture/ir/random_program.hpp"

namespace {

using namespace tilemeter::ir;
using tilemeter::test::operations;

void require(bool condition) {
    if (!condition) std::abort();
}

void require_one_line(const Error& error) {
    const std::string_view text = error.what();
    require(!text.empty() && text.find('\n') == std::string_view::npos);
}

void look_at(const Graph& graph) {
    const std::string text = print(graph, {.checksum = true});
    const Graph again = parse(text);
    require(equal(again, graph));
    require(structural_hash(again) == structural_hash(graph));
    require(print(again, {.checksum = true}) == text);
    if (const auto error = verify(graph)) return require_one_line(*error);
    require(!fx_table(graph, true).empty() && !tripy_trace_ir(graph).empty() &&
            !tripy_flat_ir(graph).empty());
    if (const auto error = verify(graph, operations())) return require_one_line(*error);
    const Graph sorted = ordered(graph, operations());
    require(is_ordered(sorted) && verify(sorted, operations()) == std::nullopt);
    for (const auto& pass : {remove_dead_code, merge_common_subexpressions}) {
        const PassResult result = pass(graph, operations());
        require(verify(result.graph, operations()) == std::nullopt);
        require(pass(result.graph, operations()).changed == 0);
    }
    try {
        require(verify(inline_calls(graph, operations(), 100'000).graph, operations()) == std::nullopt);
    } catch (const Error& error) {
        require(error.kind() == ErrorKind::kTooLarge);
    }
}

// A random graph's text, then pieces of the input in place of what stands somewhere: where, how much goes, how much
// comes, and that.
std::string changed_text(const std::uint8_t* data, std::size_t size) {
    std::uint16_t seed = 0;
    std::memcpy(&seed, data, sizeof seed);
    data += sizeof seed;
    size -= sizeof seed;
    constexpr int kDepth = 1;  // small, so that many can be tried
    std::string text = print(seed % 2 == 0 ? tilemeter::test::random_graph(seed, kDepth)
                                           : tilemeter::test::random_program(seed, kDepth));
    while (size >= 4) {
        std::uint16_t place = 0;
        std::memcpy(&place, data, sizeof place);
        const std::size_t gone = data[2] % 16;
        const std::size_t come = std::min<std::size_t>(data[3] % 16, size - 4);
        const std::size_t at = place % (text.size() + 1);
        text.replace(at, gone, reinterpret_cast<const char*>(data + 4), come);
        data += 4 + come;
        size -= 4 + come;
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string text;
    if (size > 2 && data[0] == 1)
        text = changed_text(data + 1, size - 1);
    else if (size > 0 && data[0] == 2)
        text = "tilemeter graph 1\n" + std::string(reinterpret_cast<const char*>(data + 1), size - 1);
    else
        text.assign(reinterpret_cast<const char*>(data), size);
    try {
        look_at(parse(text));
    } catch (const Error& error) {
        require_one_line(error);
        require(std::string_view(error.what()).starts_with("line "));
    }
    return 0;
}
