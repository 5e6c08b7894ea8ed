// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The consequences of a definition's table of parameters, on definitions that only the tests have.

#include "runtime/operations/core/definition.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capture/graph/graph_processor.hpp"
#include "tests/runtime/operations/numerics.hpp"
#include "tests/runtime/operations/open_devices.hpp"

namespace tilemeter {
namespace {

using nlohmann::json;

/// Its arguments in one line.
struct Turn {
    std::string image{};
    int angle = 0;
    double fill = 0.5;
    bool expand = true;

    static constexpr OperationInfo kOperation{"turn", "Turned by angle degrees."};
    static constexpr auto kParameters = parameters(required<&Turn::image>(), required<&Turn::angle>(),
                                                   optional<&Turn::fill>(), keyword<&Turn::expand>());
    std::string call() const {
        return image + " " + std::to_string(angle) + " " + std::to_string(fill).substr(0, 4) +
               (expand ? " expand" : "");
    }
};
constexpr Operation<Turn> turn;

TEST(Definition, is_called_by_place_with_defaults_for_the_rest) {
    EXPECT_EQ(turn("a", 30), "a 30 0.50 expand");
    EXPECT_EQ(turn("a", 30, 0.25), "a 30 0.25 expand");
    EXPECT_EQ(turn("a", 30, 0.25, false), "a 30 0.25");
}

TEST(Definition, is_called_with_designated_arguments_of_which_any_may_be_left_out) {
    EXPECT_EQ(turn({.image = "a", .angle = 30, .expand = false}), "a 30 0.50");
    EXPECT_EQ(turn(Turn{}), " 0 0.50 expand");
}

TEST(Definition, is_not_called_by_place_with_fewer_arguments_than_required_or_more_than_there_are) {
    static_assert(std::invocable<decltype(turn), const char*, int>);
    static_assert(!std::invocable<decltype(turn), const char*>);
    static_assert(!std::invocable<decltype(turn), const char*, int, double, bool, int>);
}

/// The table's kinds, for what makes other functions of it.
TEST(Definition, says_of_its_parameters_what_callers_have_to_know) {
    constexpr auto image = kParameter<Turn, 0>;
    constexpr auto angle = kParameter<Turn, 1>;
    constexpr auto fill = kParameter<Turn, 2>;
    constexpr auto expand = kParameter<Turn, 3>;
    EXPECT_TRUE(image.is_required && angle.is_required && !fill.is_required && !expand.is_required);
    EXPECT_EQ(fill.kind, ParameterKind::kPositional);
    EXPECT_EQ(expand.kind, ParameterKind::kKeyword);
    constexpr Parameter kMustBeNamed = required_keyword<&Turn::image>().parameter;
    EXPECT_TRUE(kMustBeNamed.is_required && kMustBeNamed.kind == ParameterKind::kKeyword);
    EXPECT_STREQ(operation_info(Turn()).name, "turn");
    EXPECT_STREQ(parameter_name<1>(Turn()), "angle");
    EXPECT_EQ(kParameterCount<Turn>, 4U);
    static_assert(std::is_same_v<ParameterType<Turn, 2>, double>);
}

struct Grouped {
    int a = 0;
    int b = 0;
    int c = 0;
    int d = 0;

    static constexpr auto kParameters = parameters(
        required<&Grouped::a, &Grouped::b>(), optional<&Grouped::c>("x"), unrecorded_keyword<&Grouped::d>());
};

TEST(Definition, takes_names_from_members_in_groups_of_rows) {
    EXPECT_EQ(kParameterCount<Grouped>, 4U);
    EXPECT_STREQ(parameter_name<0>(Grouped()), "a");
    EXPECT_STREQ(parameter_name<1>(Grouped()), "b");
    EXPECT_STREQ(parameter_name<2>(Grouped()), "x");
    EXPECT_STREQ(parameter_name<3>(Grouped()), "d");
    constexpr auto last = kParameter<Grouped, 3>;
    EXPECT_TRUE(last.kind == ParameterKind::kKeyword && !last.is_recorded && !last.is_required);
}

/// As TT-NN's all_gather_async, of which Python calls leave out the second by naming the third.
struct LateRequired {
    int a = 1;
    int b = 2;
    static constexpr auto kParameters =
        parameters(optional<&LateRequired::a>(), required<&LateRequired::b>());
    int call() const { return 10 * a + b; }
};

/// As TT-NN's moreh_sgd.
struct LateKeyword {
    int a = 1;
    int b = 2;
    static constexpr auto kParameters =
        parameters(optional<&LateKeyword::a>(), required_keyword<&LateKeyword::b>());
    int call() const { return 10 * a + b; }
};

TEST(Definition, is_called_by_place_with_all_up_to_the_last_required_parameter) {
    constexpr Operation<LateRequired> late_required;
    static_assert(!std::invocable<decltype(late_required), int>);
    EXPECT_EQ(late_required(3, 4), 34);
    EXPECT_EQ(late_required({.b = 5}), 15);
    constexpr Operation<LateKeyword> late_keyword;
    static_assert(!std::invocable<decltype(late_keyword), int>);
    EXPECT_EQ(late_keyword(3, 4), 34);
    EXPECT_EQ(late_keyword({.b = 5}), 15);
}

// ---- overloads ----

struct TurnAll {
    std::vector<std::string> images{};
    int angle = 90;

    static constexpr OperationInfo kOperation{"turn", "All of them."};
    static constexpr auto kParameters = parameters(required<&TurnAll::images>(), optional<&TurnAll::angle>());
    std::string call() const { return std::to_string(images.size()) + " images " + std::to_string(angle); }
};

TEST(Overloaded, calls_the_definition_whose_arguments_it_is_given) {
    constexpr Overloaded<Operation<Turn>, Operation<TurnAll>> both;
    const std::vector<std::string> images{"a", "b"};
    EXPECT_EQ(both("a", 30), "a 30 0.50 expand");
    EXPECT_EQ(both(images), "2 images 90");
    EXPECT_EQ(both(images, 45), "2 images 45");
    EXPECT_EQ(both(TurnAll{.images = images, .angle = 1}), "2 images 1");
}

// ---- rows of a table ----

struct Power {
    struct Row : OperationRow {
        const char* exponent_name;
        int exponent;
    };

    const Row* row = nullptr;
    int base = 0;
    int exponent = 0;

    static constexpr const char* kDocumentation = "A power.";
    static constexpr auto kParameters =
        parameters(required<&Power::base>(),
                   optional<&Power::exponent>().named_by(&Row::exponent_name).default_by(&Row::exponent));
    int call() const {
        int result = 1;
        for (int i = 0; i < exponent; ++i)
            result *= base;
        return result;
    }
};
constexpr OperationOf<Power> squared{"square", "times", 2};
constexpr OperationOf<Power> cube{"cube", "times_of_cube", 3};

/// Rows with a list for their base.
struct Powers {
    using Row = Power::Row;
    const Row* row = nullptr;
    std::vector<int> bases{};

    static constexpr auto kParameters = parameters(required<&Powers::bases>());
    std::size_t call() const { return bases.size(); }
};

TEST(Rows, have_defaults_and_names_of_parameters_in_their_columns) {
    EXPECT_EQ(squared(5), 25);
    EXPECT_EQ(cube(5), 125);
    EXPECT_EQ(cube(5, 1), 5);
    const Power arguments = cube.defaults<Power>()();
    EXPECT_EQ(arguments.exponent, 3);
    EXPECT_STREQ(operation_info(arguments).name, "cube");
    EXPECT_STREQ(parameter_name<0>(arguments), "base");
    EXPECT_STREQ(parameter_name<1>(arguments), "times_of_cube");
    EXPECT_STREQ(parameter_name<1>(squared.defaults<Power>()()), "times");
}

TEST(Rows, are_shared_by_overloads) {
    constexpr OperationOf<Power, Powers> fourth{"fourth", "times", 4};
    EXPECT_EQ(fourth(3), 81);
    EXPECT_EQ(fourth(std::vector<int>{1, 2, 3}), 3U);
    EXPECT_STREQ(operation_info(fourth.defaults<Powers>()()).name, "fourth");
}

// ---- what recorded scopes list ----

json recorded_call(const auto& call) {
    graph::GraphProcessor::begin_graph_capture(graph::RunMode::NORMAL);
    call();
    const json nodes = graph::GraphProcessor::end_graph_capture();
    for (const json& node : nodes) {
        if (node.at("node_type") == "function_start") return node;
    }
    return nullptr;
}

Tensor tensor_on_host() {
    return Tensor::on_host({Shape{1}, DataType::FLOAT32, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG},
                           HostArray(DataType::FLOAT32, Shape{1}));
}

struct Keep {
    Tensor input_tensor{};
    int times = 2;
    std::optional<int> dim{};
    int hidden = 7;
    Ignored queue_id{};
    NotModelled output_tensor{};
    OnlyDefault tile{};

    static constexpr OperationInfo kOperation{"experimental::keep", "The input."};
    static constexpr auto kParameters =
        parameters(required<&Keep::input_tensor>(), optional<&Keep::times>(), keyword<&Keep::dim>(),
                   keyword<&Keep::hidden>().unrecorded(), keyword<&Keep::queue_id>(),
                   keyword<&Keep::output_tensor>(), keyword<&Keep::tile>());
    Tensor call() const {
        return in_operation(*this, [&] {
            require_none(output_tensor, "keep", "output_tensor");
            require_default(tile, "tile");
            return input_tensor;
        });
    }
};
constexpr Operation<Keep> keep;

TEST(RecordedScope, lists_the_arguments_of_the_table_but_for_unrecorded_ones_and_those_without_effect) {
    const Tensor input = tensor_on_host();
    const json node = recorded_call([&] { keep(input, 3); });
    EXPECT_EQ(node.at("params").at("name"), "ttnn::experimental::keep");
    ASSERT_EQ(node.at("arguments").size(), 3U);
    EXPECT_EQ(node.at("arguments")[1], "3");
    EXPECT_EQ(node.at("arguments")[2], "std::nullopt");
    EXPECT_EQ(
        recorded_call([&] { keep({.input_tensor = input, .dim = -1, .hidden = 9}); }).at("arguments")[2],
        "-1");
}

struct KeepShape {
    Tensor input_tensor{};
    bool with_shape = false;

    static constexpr OperationInfo kOperation{"keep_shape", "The input."};
    static constexpr auto kParameters =
        parameters(required<&KeepShape::input_tensor>(), optional<&KeepShape::with_shape>());
    std::variant<std::tuple<Tensor, int>, std::tuple<Tensor>> recorded() const {
        if (with_shape) return std::tuple(input_tensor, 1);
        return std::tuple(input_tensor);
    }
    Tensor call() const {
        return in_operation(*this, [&] { return input_tensor; });
    }
};

TEST(RecordedScope, lists_what_recorded_returns_where_a_definition_has_it) {
    constexpr Operation<KeepShape> keep_shape;
    const Tensor input = tensor_on_host();
    EXPECT_EQ(recorded_call([&] { keep_shape(input); }).at("arguments").size(), 1U);
    const json arguments = recorded_call([&] { keep_shape(input, true); }).at("arguments");
    ASSERT_EQ(arguments.size(), 2U);
    EXPECT_EQ(arguments[1], "1");
}

struct KeepBy {
    using Row = OperationRow;
    const Row* row = nullptr;
    Tensor input_tensor{};

    static constexpr const char* kDocumentation = "The input.";
    static constexpr auto kParameters = parameters(required<&KeepBy::input_tensor>());
    Tensor call() const {
        return in_operation(*this, [&] { return input_tensor; });
    }
};

TEST(RecordedScope, has_the_name_of_the_row_or_of_its_scope) {
    constexpr static OperationOf<KeepBy> first{"first"};
    constexpr static OperationOf<KeepBy> second{{"second", "scope_of_second"}};
    const Tensor input = tensor_on_host();
    EXPECT_EQ(recorded_call([&] { first(input); }).at("params").at("name"), "ttnn::first");
    EXPECT_EQ(recorded_call([&] { second(input); }).at("params").at("name"), "ttnn::scope_of_second");
}

// ---- arguments that are not modelled ----

TEST(NotModelledArgument, is_refused_unless_it_is_None) {
    const Tensor input = tensor_on_host();
    EXPECT_EQ(test::message_of([&] { keep({.input_tensor = input}); }), "");
    EXPECT_EQ(test::message_of([&] { keep({.input_tensor = input, .output_tensor = {.is_given = true}}); }),
              "keep: output_tensor: expected None, other values are not modelled");
}

TEST(OnlyDefaultArgument, is_refused_with_the_value_that_was_given) {
    const Tensor input = tensor_on_host();
    EXPECT_EQ(test::message_of([&] { keep({.input_tensor = input, .tile = {.given = "Tile(16, 16)"}}); }),
              "tile: expected None, got Tile(16, 16), which is not modelled");
}

}  // namespace
}  // namespace tilemeter
