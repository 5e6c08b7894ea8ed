// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/text.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "capture/ir/file.hpp"
#include "capture/ir/operation_set.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/passes/compare.hpp"
#include "capture/ir/verify.hpp"
#include "tests/capture/ir/operations.hpp"
#include "tests/capture/ir/random_graph.hpp"
#include "tests/property.hpp"
#include "tests/scratch_folder.hpp"

namespace tilemeter::ir {
namespace {

using test::kScalar;
using test::operations;

constexpr PrintOptions kAsFile{.checksum = true};

Graph example() {
    Graph step("step");
    const ValueId c = step.add_input("c", kScalar);
    const ValueId sum = add_op(step, operations(), "add", {c, step.add_input("x", kScalar)});
    step.set_results({sum, sum});

    Graph graph("main", "test");
    const ValueId x = graph.add_input("x", {ElementType::kF64, {3}, {}});
    graph.add_input("layers[0].w", {ElementType::kBF16, {2, 64}, Place{"n150:0", "TILE", "DRAM"}});
    const std::vector<double> values(9, 0.5);
    const ValueId table = graph.add_const(Constant::of(ElementType::kF32, {3, 3}, std::span(values)));
    graph.set_name(table, "table");
    const ValueId sums =
        add_op(graph, operations(), "sum", {table}, {{"axes", Integers{0, 1}}, {"keepdims", false}});
    const ValueId two = graph.add_const(Constant::scalar(ElementType::kF64, 2));
    const ValueId y = add_op(graph, operations(), "mul", {x, two}, {}, {}, {"model.py", 12, "encoder/0"});
    const std::vector<Subgraph> subgraphs{{"body", std::make_shared<const Graph>(step)}};
    const ValueId zero = graph.add_const(Constant::scalar(ElementType::kF64, -0.0));
    const ValueRange scan = add_op(graph, operations(), "scan", {zero, y},
                                   {{"n_consts", 0}, {"n_carry", 1}, {"length", 3}}, subgraphs);
    add_op(graph, operations(), "print", {scan[0]});
    graph.set_results({scan[1], sums, graph.add_const(Constant::scalar(true))});
    return graph;
}

constexpr std::string_view kExample = R"(tilemeter graph 1

subgraph @step(%c: f64[], %x: f64[]) {
  %0 = add(%c, %x) : f64[]
  return %0, %0
}

graph @main(%x: f64[3], %"layers[0].w": bf16[2,64]@("n150:0", "TILE", "DRAM")) in test {
  %table = constant #0 : f32[3,3]
  %0 = sum(%table) {axes=[0, 1], keepdims=false} : f32[]
  %1 = mul(%x, 2.0:f64) : f64[3] at "model.py":12 in "encoder/0"
  %2, %3 = scan(-0.0:f64, %1) {length=3, n_carry=1, n_consts=0, body=@step} : f64[], f64[3]
  print(%2)
  return %3, %0, true
}

data #0 36 bytes
  0000003f0000003f0000003f0000003f0000003f0000003f0000003f0000003f0000003f
)";

TEST(Text, of_a_graph) {
    EXPECT_EQ(print(example()), kExample);
    EXPECT_TRUE(equal(parse(kExample), example()));
    EXPECT_EQ(verify(parse(kExample), operations()), std::nullopt);
}

TEST(Text, of_the_readmes_function) {
    Graph graph("f");
    const ValueId x = graph.add_input("x", {ElementType::kF32, {2, 3}, {}});
    const ValueId sine = add_op(graph, operations(), "sin", {x});
    graph.set_results({add_op(graph, operations(), "mul", {sine, sine})});
    EXPECT_EQ(print(graph),
              "tilemeter graph 1\n"
              "\n"
              "graph @f(%x: f32[2,3]) {\n"
              "  %0 = sin(%x) : f32[2,3]\n"
              "  %1 = mul(%0, %0) : f32[2,3]\n"
              "  return %1\n"
              "}\n");
}

TEST(Text, without_data_and_locations_is_for_reading) {
    const std::string text = print(example(), {.locations = false, .data = false});
    EXPECT_EQ(text.find("data #"), std::string::npos);
    EXPECT_EQ(text.find("model.py"), std::string::npos);
}

TEST(Text, reads_equations_in_any_order_and_comments) {
    const Graph graph = parse(
        "tilemeter graph 1\n"
        "graph @f(%x: f64[]) {  // sin(exp(x))\n"
        "%b = sin(%a) : f64[]   // before its operand\n"
        "%a = exp(%x) : f64[] return %b }");
    EXPECT_EQ(verify(graph, operations()), std::nullopt);
    EXPECT_EQ(graph.equation(0).operands()[0], graph.equation(1).results()[0]);
}

TEST(Text, may_number_values_as_it_likes) {
    const Graph graph = parse(
        "tilemeter graph 1\n"
        "graph @7(%900: f64[]) { %5 = exp(%900) : f64[] %18446744073709551615 = sin(%5) : f64[] %6 = "
        "add(%18446744073709551615, %05) : f64[] return %6 }");
    EXPECT_TRUE(is_ordered(graph));
    EXPECT_EQ(graph.equation(2).operands()[1], graph.equation(0).results()[0]);
}

TEST(Text, has_elements_to_the_bit) {
    const auto comes_back = [](const Constant& constant) {
        Graph graph;
        graph.set_results({graph.add_const(constant)});
        const Graph read = parse(print(graph));
        return *read.constant(read.results()[0]) == constant;
    };
    std::mt19937_64 random(1);
    for (std::size_t element = 0; element < static_cast<std::size_t>(ElementType::kCount); ++element)
        for (int i = 0; i < 3000; ++i) {
            const auto type = static_cast<ElementType>(element);
            const std::uint64_t bits = type == ElementType::kBool ? random() % 2 : random();
            const auto bytes = std::as_bytes(std::span(&bits, 1)).first(element_bytes(type));
            ASSERT_TRUE(comes_back(Constant::copy_of({type, {}, {}}, bytes))) << name_of(type) << " " << bits;
        }
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
        for (const ElementType type : {ElementType::kF16, ElementType::kBF16}) {
            const auto bytes = std::as_bytes(std::span(&bits, 1)).first(2);
            std::vector<std::byte> again(2);
            const double value = to_double(type, bytes.data());
            put_double(type, value, again.data());
            ASSERT_TRUE(std::isnan(value) || std::ranges::equal(bytes, again)) << bits;
        }
}

TEST(ElementType, rounds_to_nearest_even_once) {
    const auto rounded = [](ElementType type, double value) {
        std::byte bytes[8];
        put_double(type, value, bytes);
        return to_double(type, bytes);
    };
    EXPECT_EQ(rounded(ElementType::kBF16, 1 + 0x1p-8), 1);  // a tie goes to the even mantissa
    EXPECT_EQ(rounded(ElementType::kBF16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);  // by way of float: a tie, so 1
    EXPECT_EQ(rounded(ElementType::kBF16, 1 + 3 * 0x1p-8), 1 + 0x1p-6);
    EXPECT_EQ(rounded(ElementType::kF16, 65519), 65504);
    EXPECT_EQ(rounded(ElementType::kF16, 65520), std::numeric_limits<double>::infinity());
    EXPECT_EQ(rounded(ElementType::kF16, 0x1p-24), 0x1p-24);
    EXPECT_EQ(rounded(ElementType::kF16, 0x1p-25), 0);
    EXPECT_EQ(rounded(ElementType::kF16, 0x1p-25 + 0x1p-40), 0x1p-24);
    EXPECT_EQ(rounded(ElementType::kI8, 1e9), 127);
    EXPECT_EQ(rounded(ElementType::kU8, -3), 0);
    EXPECT_EQ(rounded(ElementType::kI64, 0x1p63),
              static_cast<double>(std::numeric_limits<std::int64_t>::max()));
    EXPECT_EQ(rounded(ElementType::kI32, -2.9), -2);
}

TEST(Text, of_random_graphs_reads_back_as_the_equal_graph) {
    EXPECT_TRUE(test::holds_for_random_cases([] {
        const std::uint32_t seed = test::any_unsigned();
        const Graph graph = test::random_graph(seed);
        const std::string text = print(graph, kAsFile);
        const Graph read = parse(text);
        PROPERTY_ASSERT(equal(read, graph));
        PROPERTY_ASSERT(print(read, kAsFile) == text);
        PROPERTY_ASSERT(structural_hash(read) == structural_hash(graph));
    }));
}

TEST(Text, that_is_cut_is_refused) {
    for (std::size_t seed = 0; seed < 40; ++seed) {
        const Graph graph = test::random_graph(static_cast<std::uint32_t>(seed));
        const std::string text = print(graph);
        for (std::size_t size = 0; size < text.size(); size += 1 + text.size() / 200) {
            try {
                // A missing part that is accepted: the line end of the last line.
                EXPECT_TRUE(equal(parse(text.substr(0, size)), graph) && size + 2 >= text.size())
                    << seed << " " << size << "\n"
                    << text;
            } catch (const Error& error) {
                EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
                EXPECT_TRUE(std::string(error.what()).starts_with("line ")) << error.what();
            }
        }
    }
}

TEST(Text, with_a_changed_byte_does_not_match_its_checksum) {
    const std::string text = print(example(), kAsFile);
    for (std::size_t i = 0; i < text.size() - 1; ++i) {
        std::string damaged = text;
        damaged[i] = damaged[i] == '1' ? '2' : '1';
        EXPECT_THROW(parse(damaged), Error) << i;
    }
}

struct Refused {
    std::string text;
    ErrorKind kind;
    std::string message;
};

TEST(Text, says_where_it_found_what_instead_of_what) {
    const std::string head = "tilemeter graph 1\n";
    const std::string in_f = head + "graph @f(%x: f64[]) {\n";
    const std::vector<Refused> all{
        {"", ErrorKind::kForeignText, "line 1, column 1: found the end, expected 'tilemeter graph 1'"},
        {"{\"graph\": []}", ErrorKind::kForeignText,
         "line 1, column 1: found \"{\\\"graph\\\": []}\", expected 'tilemeter graph 1'"},
        {"tilemeter graph 2\n", ErrorKind::kForeignText,
         "line 1, column 17: found \"2\", expected version 1"},
        {head, ErrorKind::kSyntax, "line 2, column 1: found the end, expected 'subgraph' or 'graph'"},
        {in_f + "%0 = exp(%x : f64[]", ErrorKind::kSyntax,
         "line 3, column 13: found \": f64[]\", expected ',' or ')'"},
        {in_f + "%0 = exp(%y) : f64[] return %0 }", ErrorKind::kSyntax,
         "line 3, column 11: found \"y\", expected a value of this graph"},
        {in_f + "%0 = exp(%x) : f65[] return %0 }", ErrorKind::kSyntax,
         "line 3, column 16: found \"f65\", expected an element type"},
        {in_f + "%0 = exp(%x) : f64[-1] return %0 }", ErrorKind::kSyntax,
         "line 3, column 20: found \"-1] return %0 }\", expected a dimension"},
        {in_f + "%x = exp(%x) : f64[] return %x }", ErrorKind::kSyntax,
         "line 3, column 2: found \"x\", expected a value with another name"},
        {in_f + "%0 = exp(300:i8) : i8[] return %0 }", ErrorKind::kSyntax,
         "line 3, column 10: found \"300\", expected a number of type i8"},
        {in_f + "%0 = call(%x) {body=@g} : f64[] return %0 }", ErrorKind::kSyntax,
         "line 3, column 22: found \"g\", expected a graph that stands above this one"},
        {in_f + "%0 = constant [1.0, 2.0] : f64[3] return %0 }", ErrorKind::kWrongConstant,
         "line 3, column 15: found 16 bytes, expected 24 for f64[3]"},
        {in_f + "%0 = constant #1 : f64[9] return %0 }", ErrorKind::kSyntax,
         "line 3, column 15: found \"#1 : f64[9] return %0 }\", expected the number of a data section"},
        {in_f + "%0 = constant [] : f64[0,9999999999999999999] return %0 }", ErrorKind::kSyntax,
         "line 3, column 26: found \"9999999999999999999\", expected a dimension below 2^63"},
        {in_f + "%0 = exp(%x) {a=[1, 2.0]} : f64[] return %0 }", ErrorKind::kSyntax,
         "line 3, column 21: found \"2\", expected integer as before"},
        {in_f + "%0 = exp(%x) {a=\"b} : f64[] return %0 }", ErrorKind::kSyntax,
         "line 3, column 40: found the end, expected '\"' at the end of the text"},
        {in_f + "return %x", ErrorKind::kSyntax,
         "line 3, column 10: found the end, expected '}' after the results"},
        {in_f + "return %x } graph", ErrorKind::kSyntax,
         "line 3, column 13: found \"graph\", expected data sections or the end"},
        {in_f + "return %x }\ndata #0 1000000000000 bytes 00", ErrorKind::kSyntax,
         "line 4, column 31: found the end, expected 1000000000000 bytes of data"},
        {in_f + "return %x }\ndata #0 1 bytes 0g", ErrorKind::kSyntax,
         "line 4, column 18: found \"g\", expected a hexadecimal digit"},
    };
    for (const Refused& each : all) {
        try {
            parse(each.text);
            ADD_FAILURE() << "accepted: " << each.text;
        } catch (const Error& error) {
            EXPECT_EQ(error.what(), each.message);
            EXPECT_EQ(error.kind(), each.kind);
        }
    }
}

TEST(Text, that_nests_too_deep_is_refused) {
    std::string text = "tilemeter graph 1\nsubgraph @g0(%x: f64[]) { return %x }\n";
    for (int i = 1; i < 100; ++i)
        text += "subgraph @g" + std::to_string(i) + "(%x: f64[]) { %0 = call(%x) {body=@g" +
                std::to_string(i - 1) + "} : f64[] return %0 }\n";
    try {
        parse(text);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kTooDeep);
        EXPECT_STREQ(error.what(),
                     "line 66, column 33: call: found subgraphs nested 65 deep, expected at most 64");
    }
}

TEST(File, holds_a_graph) {
    const test::ScratchFolder folder;
    const std::filesystem::path path = folder.path() / "main.graph";
    save(example(), path);
    EXPECT_TRUE(equal(load(path), example()));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(File, that_cannot_be_read_or_written_is_named) {
    const test::ScratchFolder folder;
    const auto message_of = [](const auto& action) -> std::string {
        try {
            action();
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    const std::string missing = folder.path() / "missing" / "main.graph";
    EXPECT_EQ(message_of([&] { load(missing); }), missing + ": can't read it: No such file or directory");
    EXPECT_EQ(message_of([&] { save(example(), missing); }),
              missing + ": can't write the graph: No such file or directory");
    const std::string foreign = folder.path() / "foreign";
    std::ofstream(foreign) << "{}";
    EXPECT_EQ(message_of([&] { load(foreign); }),
              foreign + ": line 1, column 1: found \"{}\", expected 'tilemeter graph 1'");
    EXPECT_NE(message_of([&] { load(folder.path()); }), "no error");
}

}  // namespace
}  // namespace tilemeter::ir
