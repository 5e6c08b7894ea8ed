// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/dimension.hpp"

#include <random>

#include <gtest/gtest.h>

#include "capture/ir/decide.hpp"
#include "capture/ir/error.hpp"
#include "capture/ir/sizes.hpp"
#include "capture/ir/text.hpp"

namespace tilemeter::ir {

namespace {

/// An expression, and what it is at sizes by arithmetic on numbers alone.
struct Random {
    Dim dim;
    std::function<std::optional<std::int64_t>(const Sizes&)> value;
};

class RandomDims {
public:
    explicit RandomDims(unsigned seed) : random_(seed) {}

    Random make(int depth) {
        if (depth == 0 || below(4) == 0) return leaf();
        const Random a = make(depth - 1);
        const Random b = make(depth - 1);
        using Value = std::optional<std::int64_t>;
        const auto both = [=](auto operation) {
            return [=](const Sizes& sizes) -> Value {
                const Value x = a.value(sizes);
                const Value y = b.value(sizes);
                return x && y ? operation(*x, *y) : std::nullopt;
            };
        };
        const std::int64_t k = below(5) + 1;
        const auto floored = [](std::int64_t x, std::int64_t y) {
            return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
        };
        switch (below(8)) {
            case 0:
                return {a.dim + b.dim, both([](auto x, auto y) { return Value(x + y); })};
            case 1:
                return {a.dim - b.dim, both([](auto x, auto y) { return Value(x - y); })};
            case 2:
                return {a.dim * b.dim, both([](auto x, auto y) { return Value(x * y); })};
            case 3:
                return {floordiv(a.dim, k), both([=](auto x, auto) { return Value(floored(x, k)); })};
            case 4:
                return {mod(a.dim, k), both([=](auto x, auto) { return Value(x - k * floored(x, k)); })};
            case 5:
                return {min(a.dim, b.dim), both([](auto x, auto y) { return Value(std::min(x, y)); })};
            case 6:
                return {max(a.dim, b.dim), both([](auto x, auto y) { return Value(std::max(x, y)); })};
            default:
                if (b.dim == Dim(0)) return a;
                return {floordiv(a.dim, b.dim),
                        both([=](auto x, auto y) { return y == 0 ? Value() : Value(floored(x, y)); })};
        }
    }

    Sizes sizes() { return {{"b", below(9) + 1}, {"n", below(9) + 1}, {"k", below(9) + 1}}; }

private:
    std::int64_t below(int end) { return static_cast<std::int64_t>(random_() % static_cast<unsigned>(end)); }

    Random leaf() {
        if (below(3) == 0) {
            const std::int64_t number = below(9) - 4;
            return {number, [=](const Sizes&) { return number; }};
        }
        const std::string name = std::vector<std::string>{"b", "n", "k"}[static_cast<std::size_t>(below(3))];
        return {Dim::named(name), [=](const Sizes& sizes) { return sizes.at(name); }};
    }

    std::mt19937 random_;
};

Dim dim(const char* text) {
    return Dim::parse(text);
}

std::string refusal(const std::function<void()>& step) {
    try {
        step();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Dim, is_what_numbers_are_at_any_sizes) {
    RandomDims random(7);
    for (int i = 0; i < 3000; ++i) {
        const Random each = random.make(4);
        for (int k = 0; k < 5; ++k) {
            const Sizes sizes = random.sizes();
            const std::optional<std::int64_t> expected = each.value(sizes);
            if (expected) {
                ASSERT_EQ(each.dim.at(sizes), *expected) << each.dim.text();
            }
        }
    }
}

TEST(Dim, is_read_from_its_text) {
    RandomDims random(8);
    for (int i = 0; i < 3000; ++i) {
        const Dim each = random.make(4).dim;
        ASSERT_EQ(Dim::parse(each.text()), each) << each.text();
    }
}

TEST(Dim, has_one_normal_form) {
    EXPECT_EQ(dim("2*b + b"), dim("3*b"));
    EXPECT_EQ(dim("(b + 1)*(b - 1)"), dim("b^2 - 1"));
    EXPECT_EQ(dim("n + b"), dim("b + n"));
    EXPECT_EQ(dim("floordiv(4*b + 6, 4)"), dim("b + 1 + floordiv(2, 4)"));
    EXPECT_EQ(dim("floordiv(6*b + 2, 4)"), dim("b + floordiv(b + 1, 2)"));
    EXPECT_EQ(dim("floordiv(floordiv(b, 2), 3)"), dim("floordiv(b, 6)"));
    EXPECT_EQ(dim("8*floordiv(b, 8) + mod(b, 8)"), dim("b"));
    EXPECT_EQ(dim("mod(3*b + 4, 3)"), dim("1"));
    EXPECT_EQ(dim("floordiv(b*n + b, b)"), dim("n + 1"));
    EXPECT_EQ(dim("max(b, 3, b + 1)"), dim("max(3, b + 1)"));
    EXPECT_NE(dim("b"), dim("n"));
    EXPECT_EQ(dim("mod(b, 3) + 1").text(), "mod(b, 3) + 1");
    EXPECT_EQ(dim("128 - b").text(), "-b + 128");
}

TEST(Dim, refuses_what_is_none) {
    EXPECT_EQ(refusal([] { dim("b +"); }),
              "\"b +\": column 4: found the end, expected a number or the name of a dimension");
    EXPECT_EQ(refusal([] { dim("b//2"); }),
              "\"b//2\": column 2: found \"//2\", expected floordiv(a, b) for a quotient rounded down");
    EXPECT_NE(refusal([] { dim("b 2"); }), "no error");
    EXPECT_NE(refusal([] { dim("mod(b)"); }), "no error");
    EXPECT_NE(refusal([] { dim("floordiv(b, 0)"); }), "no error");
    EXPECT_NE(refusal([] { dim("4611686018427387904"); }), "no error");
    EXPECT_NE(refusal([] { dim("4611686018427387903 + 4611686018427387903"); }), "no error");
    EXPECT_NE(refusal([] { dim("(a + b + c + d + e)^64"); }), "no error");
    EXPECT_NE(refusal([] { dim("b^65"); }), "no error");
    EXPECT_NE(refusal([] { Dim::named("min"); }), "no error");
    EXPECT_NE(refusal([] { Dim::named(""); }), "no error");
    EXPECT_NE(refusal([] { dim(std::string(100, '(').append("b").c_str()); }), "no error");
    // 64 bits that arithmetic made of an expression are no other one.
    EXPECT_NE(refusal([] { static_cast<void>(Dim(dim("b").value() + 1) + dim("b")); }), "no error");
    EXPECT_EQ(refusal([] { static_cast<void>(dim("2*b").number()); }),
              "found the dimension '2*b', expected a number: at() puts sizes in the place of names");
}

// An answer holds at every size of a range that keeps the constraints; an exact one is also given where it holds.
TEST(Decide, agrees_with_trying_all_sizes) {
    RandomDims random(9);
    std::size_t decided = 0;
    for (int i = 0; i < 400; ++i) {
        const Random a = random.make(2);
        const Random b = random.make(2);
        const Constraints constraints{Constraint::parse(i % 2 == 0 ? "b >= 3" : "mod(b, 4) == 0"),
                                      Constraint::parse("n <= k")};
        const Answer answers[] = {equal(a.dim, b.dim, &constraints), less(a.dim, b.dim, &constraints),
                                  less_equal(a.dim, b.dim, &constraints)};
        bool holds[] = {true, true, true};
        bool fails[] = {true, true, true};
        for (std::int64_t x = 1; x <= 12; ++x)
            for (std::int64_t y = 1; y <= 5; ++y)
                for (std::int64_t z = 1; z <= 5; ++z) {
                    const Sizes sizes{{"b", x}, {"n", y}, {"k", z}};
                    const bool is_promised = std::ranges::all_of(
                        constraints, [&](const Constraint& each) { return each.holds(sizes); });
                    const auto left = a.value(sizes);
                    const auto right = b.value(sizes);
                    if (!is_promised || !left || !right) continue;
                    const bool is_so[] = {*left == *right, *left < *right, *left <= *right};
                    for (int k = 0; k < 3; ++k) {
                        holds[k] = holds[k] && is_so[k];
                        fails[k] = fails[k] && !is_so[k];
                    }
                }
        for (int k = 0; k < 3; ++k) {
            const bool is_right =
                answers[k] == Answer::kUnknown || (answers[k] == Answer::kYes ? holds : fails)[k];
            EXPECT_TRUE(is_right) << a.dim.text() << ' ' << b.dim.text();
            decided += answers[k] != Answer::kUnknown ? 1 : 0;
        }
    }
    EXPECT_GT(decided, 400U);
}

TEST(Decide, knows_what_holds_for_all_sizes) {
    const Constraints tiles{Constraint::parse("mod(b, 8) == 0")};
    EXPECT_EQ(equal(dim("8*floordiv(b, 8)"), dim("b")), Answer::kUnknown);
    EXPECT_EQ(equal(dim("8*floordiv(b, 8)"), dim("b"), &tiles), Answer::kYes);
    EXPECT_EQ(equal(dim("b"), dim("b + 1")), Answer::kNo);
    EXPECT_EQ(equal(dim("8*b"), dim("9*b")), Answer::kNo);
    EXPECT_EQ(equal(dim("b*n"), dim("b*m")), Answer::kUnknown);
    EXPECT_EQ(less(dim("b*n"), dim("b*n + b")), Answer::kYes);
    EXPECT_EQ(less_equal(dim("b"), dim("b*n")), Answer::kYes);
    EXPECT_EQ(less_equal(dim("min(b, 4)"), 4), Answer::kYes);
    EXPECT_EQ(less_equal(4, dim("b")), Answer::kUnknown);
    EXPECT_EQ(divides(8, dim("b"), &tiles), Answer::kYes);
    EXPECT_EQ(divides(8, dim("b")), Answer::kUnknown);
    EXPECT_EQ(divides(2, dim("2*b + 1")), Answer::kNo);
    EXPECT_EQ(can_hold({Constraint::parse("b >= 4"), Constraint::parse("b <= 3")}), Answer::kNo);
    EXPECT_EQ(can_hold({Constraint::parse("b >= 4"), Constraint::parse("b <= 4")}), Answer::kYes);
}

Graph symbolic_graph() {
    return parse(R"(tilemeter graph 1

subgraph @body(%x: f32[b,2*n]) where b >= 4, mod(n, 2) == 0 in call {
  return %x
}

graph @main(%x: f32[b,2*n], %y: f32[n + 1]) where b >= 4, mod(n, 2) == 0 in call {
  %0 = call(%x) {body=@body} : f32[b,2*n]
  %1 = reshape(%0) {shape=[(2*b*n)]} : f32[2*b*n]
  return %1
}
)");
}

TEST(Sizes, stand_in_the_text_of_a_graph) {
    const Graph graph = symbolic_graph();
    EXPECT_EQ(print(parse(print(graph))), print(graph));
    EXPECT_NE(print(graph).find("%1 = reshape(%0) {shape=[(2*b*n)]} : f32[2*b*n]"), std::string::npos);
    EXPECT_EQ(size_names(graph), (std::set<std::string>{"b", "n"}));
    EXPECT_NE(refusal([] { parse("tilemeter graph 1\n\ngraph @main(%x: f32[b-]) {\n  return %x\n}\n"); }),
              "no error");
    EXPECT_NE(refusal([] { parse("tilemeter graph 1\n\ngraph @main(%x: f32[-1]) {\n  return %x\n}\n"); }),
              "no error");
}

TEST(Sizes, make_a_plain_graph) {
    const Graph plain = at(symbolic_graph(), {{"b", 5}, {"n", 2}});
    EXPECT_EQ(print(plain), R"(tilemeter graph 1

subgraph @body(%x: f32[5,4]) in call {
  return %x
}

graph @main(%x: f32[5,4], %y: f32[3]) in call {
  %0 = call(%x) {body=@body} : f32[5,4]
  %1 = reshape(%0) {shape=[20]} : f32[20]
  return %1
}
)");
    EXPECT_EQ(refusal([] { at(symbolic_graph(), {{"b", 5}}); }), "found no size for 'n', expected one");
    EXPECT_EQ(refusal([] {
                  at(symbolic_graph(), {{"b", 3}, {"n", 2}});
              }),
              "found b = 3, n = 2, expected sizes with b >= 4");
    EXPECT_EQ(refusal([] {
                  at(symbolic_graph(), {{"b", 5}, {"n", 2}, {"m", 1}});
              }),
              "found a size for 'm', expected one of a name in the graph's dimensions");
    EXPECT_EQ(refusal([] {
                  at(symbolic_graph(), {{"b", 5}, {"n", 0}});
              }),
              "found 0 for 'n', expected at least 1");
}

TEST(Sizes, are_found_from_shapes) {
    const Graph graph = symbolic_graph();
    const auto found = [&](const std::vector<Shape>& shapes) { return sizes_of(graph, shapes); };
    EXPECT_EQ(found({{5, 4}, {3}}), (Sizes{{"b", 5}, {"n", 2}}));
    EXPECT_EQ(refusal([&] {
                  found({{5, 4}, {4}});
              }),
              "parameter 'y': dimension 0: found 4 for 'n + 1', expected 3 since b = 5, n = 2");
    EXPECT_NE(refusal([&] { found({{5, 3}, {3}}); }), "no error");
    EXPECT_EQ(refusal([&] { found({{3, 4}, {3}}); }), "found b = 3, n = 2, expected sizes with b >= 4");
    EXPECT_NE(refusal([&] { found({{5, 4}}); }), "no error");
    EXPECT_NE(refusal([&] { found({{5}, {3}}); }), "no error");
}

}  // namespace

}  // namespace tilemeter::ir
