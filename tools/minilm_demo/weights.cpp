// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/minilm_demo/weights.hpp"

#include <stdexcept>
#include <utility>

#include "runtime/operations/creation/creation.hpp"
#include "tools/minilm_demo/safetensors.hpp"

namespace tilemeter::demo {

namespace {

using Weights = std::map<std::string, NamedValues>;

constexpr const char* kPositions = "embeddings.position_embeddings.weight";
constexpr const char* kTypes = "embeddings.token_type_embeddings.weight";

const NamedValues& find(const Weights& weights, const std::string& name) {
    const auto found = weights.find(name);
    if (found == weights.end())
        throw std::runtime_error("weights: expected a float32 tensor '" + name + "', found none");
    return found->second;
}

std::vector<float> transposed(const NamedValues& matrix) {
    const std::size_t rows = matrix.shape[0];
    const std::size_t columns = matrix.shape[1];
    std::vector<float> result(matrix.values.size());
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            result[column * rows + row] = matrix.values[row * columns + column];
        }
    }
    return result;
}

std::vector<float> positions(const Weights& weights) {
    const std::vector<float>& all = find(weights, kPositions).values;
    const std::vector<float>& types = find(weights, kTypes).values;
    std::vector<float> first(all.begin(), all.begin() + Encoder::kSequence * Encoder::kHidden);
    for (std::size_t i = 0; i < first.size(); ++i)
        first[i] += types[i % Encoder::kHidden];
    return first;
}

std::vector<float> values_of(const Weights& weights, const std::string& name, const Shape& shape) {
    if (name == kPositions) return positions(weights);
    const NamedValues& found = find(weights, name);
    const bool matrix = found.shape.size() == 2 && !name.starts_with("embeddings.");
    std::vector<float> values = matrix ? transposed(found) : found.values;
    if (values.size() != shape.volume() || (matrix && found.shape[0] != shape[1])) {
        throw std::runtime_error("weights: " + name + ": expected " + shape.to_string() + ", found " +
                                 Shape(found.shape).to_string());
    }
    return values;
}

}  // namespace

Encoder::MakeWeight weights_from_file(const std::filesystem::path& safetensors,
                                      std::shared_ptr<Device> device) {
    auto weights = std::make_shared<const Weights>(read_safetensors(safetensors));
    return [weights, device = std::move(device)](const std::string& name, const Shape& shape, Layout layout,
                                                 DataType dtype) {
        return from_vector(values_of(*weights, name, shape), shape, dtype, layout, device);
    };
}

Encoder::MakeWeight zero_weights(std::shared_ptr<Device> device) {
    return [device = std::move(device)](const std::string&, const Shape& shape, Layout layout,
                                        DataType dtype) { return zeros(shape, dtype, layout, device); };
}

}  // namespace tilemeter::demo
