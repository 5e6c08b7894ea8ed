// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/normalization.hpp"

#include <cmath>

#include "runtime/compute/onednn.hpp"

namespace tilemeter::compute {

std::vector<float> softmax(std::span<const float> values, const Shape& shape, std::size_t dimension) {
    std::vector<float> result(values.size());
    if (result.empty()) return result;
    const dnnl::memory::desc desc = row_major(shape);
    const dnnl::softmax_v2_forward::primitive_desc primitive(
        {dnnl::prop_kind::forward_inference, dnnl::algorithm::softmax_accurate, desc, desc,
         static_cast<int>(dimension)},
        engine());
    run("softmax", dnnl::softmax_v2_forward(primitive),
        {{DNNL_ARG_SRC, over(desc, values)}, {DNNL_ARG_DST, over(desc, std::span<float>(result))}});
    return result;
}

std::vector<float> normalize_rows(RowStatistic statistic, std::span<const float> values, std::uint64_t width,
                                  float epsilon, std::span<const float> weight, std::span<const float> bias) {
    std::vector<float> result(values.size());
    for (std::size_t row = 0; row < values.size(); row += width) {
        double mean = 0.0;
        if (statistic == RowStatistic::kMeanAndVariance) {
            for (std::size_t i = 0; i < width; ++i)
                mean += values[row + i];
            mean /= static_cast<double>(width);
        }
        double square = 0.0;
        for (std::size_t i = 0; i < width; ++i) {
            const double centred = values[row + i] - mean;
            square += centred * centred;
        }
        const double scale = 1.0 / std::sqrt(square / static_cast<double>(width) + epsilon);
        for (std::size_t i = 0; i < width; ++i) {
            double x = (values[row + i] - mean) * scale;
            if (!weight.empty()) x *= weight[i];
            if (!bias.empty()) x += bias[i];
            result[row + i] = static_cast<float>(x);
        }
    }
    return result;
}

std::vector<float> group_norm(std::span<const float> values, std::uint64_t images, std::uint64_t channels,
                              std::uint64_t groups, float epsilon, std::span<const float> weight,
                              std::span<const float> bias) {
    std::vector<float> result(values.size());
    const std::uint64_t rows = values.size() / (images * channels);
    const std::uint64_t width = channels / groups;
    const auto count = static_cast<double>(rows * width);
    const auto for_each = [&](std::uint64_t image, std::uint64_t group, auto visit) {
        for (std::uint64_t row = image * rows; row < (image + 1) * rows; ++row) {
            for (std::uint64_t channel = group * width; channel < (group + 1) * width; ++channel)
                visit(row * channels + channel, channel);
        }
    };
    for (std::uint64_t image = 0; image < images; ++image) {
        for (std::uint64_t group = 0; group < groups; ++group) {
            double sum = 0.0;
            for_each(image, group,
                     [&](std::uint64_t i, std::uint64_t) { sum += static_cast<double>(values[i]); });
            const double mean = sum / count;
            double squares = 0.0;
            for_each(image, group, [&](std::uint64_t i, std::uint64_t) {
                const double difference = static_cast<double>(values[i]) - mean;
                squares += difference * difference;
            });
            const double scale = 1.0 / std::sqrt(squares / count + static_cast<double>(epsilon));
            for_each(image, group, [&](std::uint64_t i, std::uint64_t channel) {
                const double normal = (static_cast<double>(values[i]) - mean) * scale;
                const double weighted =
                    weight.empty() ? normal : normal * static_cast<double>(weight[channel]);
                result[i] = static_cast<float>(bias.empty() ? weighted
                                                            : weighted + static_cast<double>(bias[channel]));
            });
        }
    }
    return result;
}

}  // namespace tilemeter::compute
