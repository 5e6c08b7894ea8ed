// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/convolution.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "runtime/compute/matmul.hpp"
#include "runtime/compute/onednn.hpp"
#include "runtime/compute/parallel.hpp"
#include "runtime/types/reused_memory.hpp"

namespace tilemeter::compute {

namespace {

using Dim = dnnl::memory::dim;
using Dims = dnnl::memory::dims;
using Tag = dnnl::memory::format_tag;
using ElementType = dnnl::memory::data_type;

/// The element types of a convolution, and whether a bias is added.
struct Elements {
    ElementType input = ElementType::f32;  ///< images and weights
    ElementType result = ElementType::f32;
    bool bias = false;
};

/// Some rows of the result, of one image: what oneDNN has made for as many.
struct Rows {
    dnnl::convolution_forward convolution;
    dnnl::memory::desc images, weights, bias, result, scratchpad;
};

/// The weights, in the layout of one of the tags.
dnnl::memory::desc weights_of(const Convolution& each, ElementType type, Tag alone, Tag in_groups) {
    const Dim outputs = each.outputs / each.groups, channels = each.channels / each.groups;
    if (each.groups == 1) return {{outputs, channels, each.kernel_height, each.kernel_width}, type, alone};
    return {{each.groups, outputs, channels, each.kernel_height, each.kernel_width}, type, in_groups};
}

/// Weights of kernel row, kernel column, channel of a group, group, output of the group.
dnnl::memory::desc by_rows(const Convolution& each, ElementType type) {
    return weights_of(each, type, Tag::hwio, Tag::hwigo);
}

// Nothing where this processor has no kernel for elements of that type.
std::optional<Rows> made_rows(const Convolution& each, std::uint32_t rows, const Elements& elements) {
    const Dim height =
        Dim{rows - 1} * each.stride_height + Dim{each.kernel_height - 1} * each.dilation_height + 1;
    const ElementType type = elements.input;
    const dnnl::memory::desc images({1, each.channels, height, each.width}, type, Tag::nhwc);
    const dnnl::memory::desc weights = weights_of(each, type, Tag::any, Tag::any);
    dnnl::memory::desc bias;
    if (elements.bias) bias = {{each.outputs}, ElementType::f32, Tag::x};
    const dnnl::memory::desc result({1, each.outputs, rows, each.output_width}, elements.result, Tag::nhwc);
    const OneThread one_thread;
    // The library's own would be that of the thread that makes it.
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    try {
        const auto desc = described_as<dnnl::convolution_forward>(
            attributes, dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, images,
            weights, bias, result, Dims{each.stride_height, each.stride_width},
            Dims{each.dilation_height - 1, each.dilation_width - 1}, Dims{0, 0}, Dims{0, 0});
        return Rows{dnnl::convolution_forward(desc),
                    desc.src_desc(),
                    desc.weights_desc(),
                    desc.bias_desc(),
                    desc.dst_desc(),
                    desc.scratchpad_desc()};
    } catch (const dnnl::error& error) {
        if (error.status == dnnl_unimplemented && type != ElementType::f32) return std::nullopt;
        throw;
    }
}

// To make them takes longer than a small convolution; a model has a few, over and over.
std::shared_ptr<const std::optional<Rows>> rows_of(const Convolution& each, std::uint32_t rows,
                                                   const Elements& elements) {
    constexpr std::size_t kMost = 256;
    using Key = std::array<std::uint32_t, 15>;
    static auto& mutex = *new std::mutex;
    static auto& known = *new std::map<Key, std::shared_ptr<const std::optional<Rows>>>;
    const Key key{rows,
                  static_cast<std::uint32_t>(elements.input),
                  static_cast<std::uint32_t>(elements.result),
                  static_cast<std::uint32_t>(elements.bias),
                  each.width,
                  each.channels,
                  each.outputs,
                  each.groups,
                  each.kernel_height,
                  each.kernel_width,
                  each.stride_height,
                  each.stride_width,
                  each.dilation_height,
                  each.dilation_width,
                  each.output_width};
    {
        const std::scoped_lock lock(mutex);
        const auto found = known.find(key);
        if (found != known.end()) return found->second;
    }
    auto made = std::make_shared<const std::optional<Rows>>(made_rows(each, rows, elements));
    const std::scoped_lock lock(mutex);
    if (known.size() >= kMost) known.clear();
    return known.try_emplace(key, std::move(made)).first->second;
}

// Rows of the result at a time: those of an image, but for work that is shared, or finished while it is in a cache.
std::uint32_t rows_at_once(const Convolution& each, std::size_t threads, bool in_place) {
    constexpr std::uint64_t kElements = 1U << 16U;
    constexpr std::uint64_t kPartsOfThread = 4;
    std::uint64_t rows = each.output_height;
    if (threads > 1) {
        const std::uint64_t parts = threads * kPartsOfThread;
        rows = std::min(rows, (std::uint64_t{each.batch} * each.output_height + parts - 1) / parts);
    }
    if (!in_place) rows = std::min(rows, kElements / (std::uint64_t{each.output_width} * each.outputs));
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(rows, 1));
}

dnnl::memory memory_over(const dnnl::memory::desc& desc, const void* data) {
    return {desc, engine(), const_cast<void*>(data)};  // NOLINT: oneDNN has no read-only memory
}

void keep_first(MatrixOperand& operand, std::uint64_t elements) {
    if (operand.bfloat16.empty())
        operand.values = operand.values.first(elements);
    else
        operand.bfloat16 = operand.bfloat16.first(elements);
}

// Without what lies between groups.
ReusedMemory weights_of_groups(const Convolution& each, const void* matrix, std::size_t element_size) {
    const std::size_t row = each.outputs * element_size, part = row / each.groups;
    const std::size_t channels = each.channels / each.groups;
    const auto* from = static_cast<const std::byte*>(matrix);
    ReusedMemory kept(std::size_t{each.kernel_height} * each.kernel_width * channels * row);
    std::byte* to = kept.data();
    for (std::size_t place = 0; place < std::size_t{each.kernel_height} * each.kernel_width; ++place) {
        for (std::size_t channel = 0; channel < channels; ++channel) {
            for (std::size_t group = 0; group < each.groups; ++group, to += part)
                std::memcpy(to, from + (group * channels + channel) * row + group * part, part);
        }
        from += each.channels * row;
    }
    return kept;
}

/// Weights in the order that a kernel reads.
class OrderedWeights {
public:
    OrderedWeights(const dnnl::memory& given, const dnnl::memory::desc& order)
        : room_(order.get_size()), memory_(order, engine(), room_.data()) {
        const OneThread one_thread;
        run("convolution", dnnl::reorder(given, memory_), {{DNNL_ARG_FROM, given}, {DNNL_ARG_TO, memory_}});
    }

    const dnnl::memory& memory() const { return memory_; }

private:
    ReusedMemory room_;
    dnnl::memory memory_;
};

}  // namespace

HostArray convolve(const Convolution& convolution, const HostArray& images, const HostArray& weights,
                   std::span<const float> bias, DataType dtype, const Shape& shape,
                   const std::function<void(std::span<float> rows)>& finish) {
    HostArray result = HostArray::unwritten(dtype, shape);
    if (result.size() == 0) return result;
    const std::uint64_t inner = std::uint64_t{convolution.kernel_height} * convolution.kernel_width *
                                convolution.channels / convolution.groups;
    const bool of_bfloat16 = images.dtype() == DataType::BFLOAT16 && weights.dtype() == DataType::BFLOAT16;
    const std::uint64_t steps =
        result.size() * inner / products_per_step(of_bfloat16 ? ElementType::bf16 : ElementType::f32);
    const std::span<float> in_place = result.floats();
    const bool rounds_at_the_end = dtype == DataType::BFLOAT16 && !finish;
    const std::uint32_t at_once =
        rows_at_once(convolution, thread_count(steps), !finish && (!in_place.empty() || rounds_at_the_end));

    FloatBuffer image_room(0), weight_room(0);
    MatrixOperand from = matrix_operand(images, false, image_room);
    MatrixOperand by = matrix_operand(weights, false, weight_room);
    const std::uint64_t pixels = std::uint64_t{convolution.batch} * convolution.height * convolution.width;
    keep_first(from, pixels * convolution.channels);
    Elements elements{ElementType::bf16, rounds_at_the_end ? ElementType::bf16 : ElementType::f32,
                      !bias.empty()};
    std::shared_ptr<const std::optional<Rows>> whole;
    if (!from.bfloat16.empty() && !by.bfloat16.empty()) whole = rows_of(convolution, at_once, elements);
    if (!whole || !*whole) {
        elements.input = elements.result = ElementType::f32;
        whole = rows_of(convolution, at_once, elements);
    }
    const std::uint32_t rest = convolution.output_height % at_once;
    const auto last = rest == 0 ? whole : rows_of(convolution, rest, elements);

    const bool in_bfloat16 = elements.input == ElementType::bf16;
    const auto data_of = [&](const MatrixOperand& operand, FloatBuffer& room) {
        return in_bfloat16 ? static_cast<const void*>(operand.bfloat16.data())
                           : floats_of(operand, room).data();
    };
    const auto* const first_pixel = static_cast<const std::byte*>(data_of(from, image_room));
    const std::size_t element_size = in_bfloat16 ? sizeof(std::uint16_t) : sizeof(float);
    const void* matrix = data_of(by, weight_room);
    ReusedMemory of_groups;
    if (convolution.groups > 1) {
        of_groups = weights_of_groups(convolution, matrix, element_size);
        matrix = of_groups.data();
    }
    const dnnl::memory given = memory_over(by_rows(convolution, elements.input), matrix);
    const OrderedWeights kernel(given, (*whole)->weights);
    std::optional<OrderedWeights> last_kernel;
    if ((*last)->weights != (*whole)->weights) last_kernel.emplace(given, (*last)->weights);

    const std::uint64_t parts_of_image = (convolution.output_height + at_once - 1) / at_once;
    const std::uint64_t row_of_image = std::uint64_t{convolution.width} * convolution.channels;
    const std::uint64_t row_of_result = std::uint64_t{convolution.output_width} * convolution.outputs;
    std::byte* const bytes = result.bytes().data();
    const bool rounded = elements.result == ElementType::bf16;
    parallel_for(convolution.batch * parts_of_image, steps, [&](std::size_t part) {
        const std::uint64_t image = part / parts_of_image;
        const std::uint64_t begin = part % parts_of_image * at_once;
        const bool is_rest = rest != 0 && begin + at_once > convolution.output_height;
        const Rows& rows = is_rest ? **last : **whole;
        const std::uint64_t count = (is_rest ? rest : at_once) * row_of_result;
        const std::uint64_t to = (image * convolution.output_height + begin) * row_of_result;
        FloatBuffer room(in_place.empty() && !rounded ? count : 0);
        const std::span<float> values = in_place.empty() ? room.values() : in_place.subspan(to, count);
        const std::uint64_t first =
            (image * convolution.height + begin * convolution.stride_height) * row_of_image;
        ReusedMemory scratchpad(rows.scratchpad.get_size());
        std::unordered_map<int, dnnl::memory> arguments = {
            {DNNL_ARG_SRC, memory_over(rows.images, first_pixel + first * element_size)},
            {DNNL_ARG_WEIGHTS, is_rest && last_kernel ? last_kernel->memory() : kernel.memory()},
            {DNNL_ARG_DST, memory_over(rows.result, rounded ? bytes + to * sizeof(std::uint16_t)
                                                            : reinterpret_cast<std::byte*>(values.data()))},
            {DNNL_ARG_SCRATCHPAD, memory_over(rows.scratchpad, scratchpad.data())}};
        if (elements.bias) arguments.emplace(DNNL_ARG_BIAS, memory_over(rows.bias, bias.data()));
        const OneThread one_thread;
        run("convolution", rows.convolution, arguments);
        if (finish) finish(values);
        if (in_place.empty() && !rounded) result.write_floats(to, values);
    });
    return result;
}

}  // namespace tilemeter::compute
