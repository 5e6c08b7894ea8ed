// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/creation/random.hpp"

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/tilize_operations.hpp"
#include "runtime/operations/data_movement/typecast.hpp"
#include "runtime/operations/work/column_cores.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

std::mt19937 generator(std::uint32_t seed) {
    return std::mt19937(seed != 0 ? seed : std::random_device()());
}

void require_real(DataType dtype, std::string_view operation) {
    require(dtype == DataType::BFLOAT16 || dtype == DataType::FLOAT32, operation,
            ": dtype: expected BFLOAT16 or FLOAT32, got ", name_of(dtype));
}

// The operation has no tensor to read: its only one is the output, which is given.
struct Random {
    TensorSpec spec;
    std::uint32_t seed;

    /// One program serves all seeds and limits.
    void append_program_key(ProgramKey& key, const KeyedCall&) const { key.append(spec); }

    TensorSpecs infer(SpecsView) const { return {spec}; }
    ProgramPlan plan(SpecsView, SpecsView, const DeviceDescription& device) const {
        return {
            {"ttnn::prim::RandomProgramFactory", 0},
            {circular_buffer(2 * tile_size(spec.dtype), whole_columns_and_rest(num_tiles(spec), device))}};
    }
};

struct RandOperation : Random {
    static constexpr std::string_view kName = "RandDeviceOperation";

    float low;
    float high;

    auto attributes() const {
        return std::make_tuple(spec.shape, spec.dtype, spec.layout, spec.memory_config, low, high, seed);
    }
    std::vector<HostArray> compute(ArraysView, SpecsView outputs) const {
        std::mt19937 source = generator(seed);
        std::uniform_real_distribution<float> uniform(low, high);
        std::vector<float> values(outputs[0].shape.volume());
        for (float& value : values)
            value = uniform(source);
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

struct RandnOperation : Random {
    static constexpr std::string_view kName = "RandnDeviceOperation";

    auto attributes() const {
        return std::make_tuple(spec.shape, spec.dtype, spec.layout, spec.memory_config, seed);
    }
    std::vector<HostArray> compute(ArraysView, SpecsView outputs) const {
        std::mt19937 source = generator(seed);
        std::normal_distribution<float> normal;
        std::vector<float> values(outputs[0].shape.volume());
        for (float& value : values)
            value = normal(source);
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

struct DropoutOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "DropoutDeviceOperation";
    static constexpr std::string_view kAttributesName = "DropoutParams";

    float probability;
    float scale;
    std::uint32_t seed;
    MemoryConfig memory_config;

    auto attributes() const {
        return std::make_tuple(DataType::BFLOAT16, memory_config, seed, probability, scale);
    }
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(probability);
        key.append(scale);
        key.append(memory_config);
        key.append(call.inputs);
        key.append(call.outputs);
        key.append(call.gives_outputs);
    }
    void validate(SpecsView inputs) const {
        require(inputs[0].dtype == DataType::BFLOAT16, [&] {
            return "Dropout operation requires input and output data types to match. Input data "
                   "type: " +
                   std::to_string(static_cast<int>(inputs[0].dtype)) + ", Output data type: 0";
        });
        require(inputs[0].layout == Layout::TILE, "dropout: input: expected TILE layout, got ",
                name_of(inputs[0].layout));
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, inputs[0].dtype, inputs[0].layout, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const CoreRangeSet cores = cores_down_columns(num_tiles(inputs[0]), device);
        return {{"ttnn::prim::DropoutProgramFactory", 0},
                dataflow_buffers({2 * tile_size(inputs[0].dtype), 2 * tile_size(outputs[0].dtype)}, cores)};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::mt19937 source = generator(seed);
        std::bernoulli_distribution dropped(probability);
        std::vector<float> values = inputs[0]->to_floats();
        for (float& value : values)
            value = dropped(source) ? 0.0F : value * scale;
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

void require_interleaved_tiles(const TensorSpec& spec, std::string_view operation) {
    require_real(spec.dtype, operation);
    require(spec.layout == Layout::TILE && !spec.memory_config.is_sharded(), operation,
            ": input: expected interleaved TILE, got ", name_of(spec.layout), " in ", spec.memory_config);
}

struct UniformOperation {
    static constexpr std::string_view kName = "UniformDeviceOperation";

    float from;
    float to;
    std::uint32_t seed;
    MemoryConfig memory_config;

    auto attributes() const { return std::tie(from, to, seed, memory_config); }
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(memory_config);
        key.append(call.inputs);
    }

    void validate(SpecsView inputs) const {
        require_interleaved_tiles(inputs[0], "uniform");
        require(from < to, "uniform: from, to: expected from < to, got ", from, " and ", to);
    }
    TensorSpecs infer(SpecsView inputs) const { return {inputs[0]}; }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        return {{"ttnn::operations::uniform::UniformDeviceOperation::UniformProgramFactory", 0},
                {circular_buffer(2 * tile_size(inputs[0].dtype),
                                 whole_columns_and_rest(num_tiles(inputs[0]), device))}};
    }
    std::vector<HostArray> compute(ArraysView, SpecsView outputs) const {
        std::mt19937 source = generator(seed);
        std::uniform_real_distribution<float> uniform(from, to);
        std::vector<float> values(outputs[0].shape.volume());
        for (float& value : values)
            value = uniform(source);
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

// The numbers that are compared with the input's are float32.
struct BernoulliOperation {
    static constexpr std::string_view kName = "BernoulliDeviceOperation";

    std::uint32_t seed;
    DataType dtype;
    MemoryConfig memory_config;

    auto attributes() const { return std::tie(seed, dtype, memory_config); }
    void append_program_key(ProgramKey& key, const KeyedCall& call) const {
        key.append(call.inputs);
        key.append(call.outputs);
        key.append(call.gives_outputs);
    }

    void validate(SpecsView inputs) const {
        require_interleaved_tiles(inputs[0], "bernoulli");
        require_real(dtype, "bernoulli");
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {TensorSpec{inputs[0].shape, dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const CoreRangeSet cores = whole_columns_and_rest(num_tiles(inputs[0]), device);
        return {{"ttnn::operations::bernoulli::BernoulliDeviceOperation::BernoulliProgramFactory", 0},
                circular_buffers({2 * tile_size(inputs[0].dtype), 2 * tile_size(DataType::FLOAT32),
                                  tile_size(outputs[0].dtype)},
                                 cores)};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::mt19937 source = generator(seed);
        std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
        std::vector<float> values = inputs[0]->to_floats();
        for (float& value : values)
            value = uniform(source) < value ? 1.0F : 0.0F;
        return {HostArray::from_floats(values, outputs[0].dtype, outputs[0].shape)};
    }
};

// In tiles, and if asked for in rows afterwards.
template <typename Make>
Tensor random_tensor(std::string_view name, const std::shared_ptr<Device>& device, const TensorSpec& spec,
                     Make make) {
    require(device != nullptr, name, ": device: expected a device, got none");
    require_real(spec.dtype, name);
    TensorSpec tiled = spec;
    tiled.layout = Layout::TILE;
    const Tensor tiles = launch_on(make(tiled), device);
    return spec.layout == Layout::TILE ? tiles : unscoped::to_layout(tiles, spec.layout);
}

// Untilized with its padding cut off at once where the program can; more than four dimensions are brought to four before, and
// TT-NN fails to bring them back where tiles are not full.
Tensor in_rows(const Tensor& tiles) {
    const UntilizeCodegen codegen{tiles.memory_config()};
    Device& device = tiles.device();
    const TensorSpec output{tiles.shape(), DataType::BFLOAT16, Layout::ROW_MAJOR, tiles.memory_config()};
    if (!codegen.takes(tiles.spec(), device.description(), free_l1_beside(device, output)))
        return unscoped::to_layout(tiles, Layout::ROW_MAJOR);
    Tensor rows = unscoped::untilize(tiles);
    require(tiles.shape().rank() <= 4 || tiles.padded_shape() == tiles.shape(),
            "MeshBuffer must be large enough to hold the tensor.");
    return rows;
}

}  // namespace

Tensor Rand::call() const {
    require_none(mesh_mapper, "rand", "mesh_mapper");
    return in_operation(*this, [&] {
        require(low < high, "rand: low, high: expected low < high, got ", low, " and ", high);
        const auto make = [&](const TensorSpec& spec) { return RandOperation{{spec, seed}, low, high}; };
        if (dtype == DataType::BFLOAT16 || dtype == DataType::FLOAT32)
            return random_tensor("rand", device, {shape, dtype, layout, place()}, make);
        Tensor result =
            random_tensor("rand", device, {shape, DataType::FLOAT32, Layout::TILE, place()}, make);
        result = unscoped::typecast(result, dtype);
        if (layout != Layout::TILE) result = unscoped::to_layout(result, layout);
        return result;
    });
}

Tensor Randn::body() const {
    const Tensor tiles =
        random_tensor("randn", device, {shape, dtype, Layout::TILE, place()}, [&](const TensorSpec& spec) {
            return RandnOperation{{spec, seed.value_or(0)}};
        });
    return layout == Layout::TILE ? tiles : in_rows(tiles);
}

Tensor Uniform::body() const {
    require_on_device(input, "uniform", "input");
    return launch_into(UniformOperation{from_, to, seed, input.memory_config()}, {input}, input);
}

Tensor Bernoulli::body() const {
    require_on_device(input, "bernoulli", "input");
    const BernoulliOperation operation{
        seed, output ? output->dtype() : dtype.value_or(DataType::FLOAT32),
        output ? output->memory_config() : memory_config.value_or(input.memory_config())};
    return launch(operation, {input}, output);
}

Tensor experimental::Dropout::body() const {
    require_on_device(input_tensor, "dropout", "input");
    require(probability >= 0.0F && probability <= 1.0F, "dropout: probability: expected 0 to 1, got ",
            probability);
    const DropoutOperation operation{probability, scale, seed,
                                     memory_config.value_or(input_tensor.memory_config())};
    return launch(operation, {input_tensor}, output_tensor);
}

}  // namespace tilemeter
