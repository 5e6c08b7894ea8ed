// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operation_list.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tilemeter {
namespace {

std::vector<std::string> signatures_of(std::string_view name) {
    std::vector<std::string> found;
    for (const ListedOperation& operation : all_operations()) {
        if (operation.name == name)
            found.push_back(std::string(operation.family) + ": " + operation.signature());
    }
    return found;
}

TEST(OperationList, has_a_signature_for_each_definition_of_a_name) {
    EXPECT_EQ(
        signatures_of("rotate"),
        std::vector<std::string>{"sliding_window: rotate(input_tensor, angle, *, [center], [fill], [expand], "
                                 "[interpolation_mode], [memory_config])"});
    EXPECT_EQ(
        signatures_of("prod"),
        (std::vector<std::string>{"reduction: prod(input_tensor, [dim], [keepdim], *, [memory_config])",
                                  "reduction: prod(input_tensor, output_tensor, *, dims, [memory_config])"}));
}

TEST(OperationList, has_rows_of_tables_with_the_names_of_their_parameters) {
    EXPECT_EQ(signatures_of("relu").size(), 1U);
    EXPECT_EQ(
        signatures_of("elu_bw"),
        std::vector<std::string>{"eltwise: elu_bw(grad_tensor, input_tensor, *, [alpha], [memory_config])"});
}

TEST(OperationList, names_operations_as_Python_does) {
    EXPECT_EQ(signatures_of("experimental.dropout").size(), 1U);
    EXPECT_EQ(signatures_of("experimental.typecast").size(), 1U);
    for (const ListedOperation& operation : all_operations())
        EXPECT_EQ(operation.name.find(':'), std::string::npos) << operation.name;
}

TEST(OperationList, documents_each_operation_and_names_each_parameter_once) {
    for (const ListedOperation& operation : all_operations()) {
        EXPECT_FALSE(std::string_view(operation.documentation).empty()) << operation.name;
        std::set<std::string_view> names;
        for (const ListedParameter& parameter : operation.parameters)
            EXPECT_TRUE(names.insert(parameter.name).second) << operation.name << ": " << parameter.name;
    }
}

// Python matches arguments by place until one is given by name.
TEST(OperationList, has_no_parameter_by_place_behind_one_by_name) {
    for (const ListedOperation& operation : all_operations()) {
        EXPECT_TRUE(std::is_partitioned(
            operation.parameters.begin(), operation.parameters.end(),
            [](const ListedParameter& each) { return each.kind == ParameterKind::kPositional; }))
            << operation.name;
    }
}

// Gradients read the results of their functions and write gradients, whatever these are called.
TEST(OperationList, tells_outputs_from_what_is_read) {
    const auto outputs_of = [](std::string_view name) {
        std::set<std::string> outputs;
        for (const ListedOperation& operation : all_operations())
            for (const ListedParameter& parameter : operation.parameters)
                if (operation.name == name && parameter.is_output) outputs.insert(parameter.name);
        return outputs;
    };
    using Names = std::set<std::string>;
    EXPECT_EQ(outputs_of("add"), Names{"output_tensor"});
    EXPECT_EQ(outputs_of("add_"), Names{});
    EXPECT_EQ(outputs_of("copy"), Names{"input_b"});
    EXPECT_EQ(outputs_of("mul_bw"), (Names{"input_grad", "other_grad"}));
    EXPECT_EQ(outputs_of("moreh_softmax_backward"), Names{"input_grad_tensor"});
    EXPECT_EQ(outputs_of("moreh_norm_backward"), Names{"input_grad"});
    EXPECT_EQ(outputs_of("moreh_adamw"),
              (Names{"param_out", "exp_avg_out", "exp_avg_sq_out", "max_exp_avg_sq_out"}));
    EXPECT_EQ(outputs_of("batch_norm"), Names{"output"});
    for (const ListedOperation& operation : all_operations())
        for (const ListedParameter& parameter : operation.parameters)
            EXPECT_TRUE(!parameter.is_output || *parameter.type == typeid(Tensor) ||
                        *parameter.type == typeid(OptionalTensor) ||
                        *parameter.type == typeid(std::optional<std::vector<Tensor>>) ||
                        *parameter.type == typeid(std::optional<std::pair<Tensor, Tensor>>))
                << operation.name << ": " << parameter.name;
}

TEST(OperationList, names_golden_functions_of_operations_that_are_there) {
    std::set<std::string> names;
    for (const ListedOperation& operation : all_operations())
        names.insert(operation.name);
    for (const ListedOperation& operation : all_operations())
        EXPECT_TRUE(names.contains(operation.golden)) << operation.name << ": " << operation.golden;
}

}  // namespace
}  // namespace tilemeter
