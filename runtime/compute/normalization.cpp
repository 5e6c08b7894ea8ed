// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/normalization.hpp"

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "runtime/compute/onednn.hpp"
#include "runtime/types/vectorized.hpp"

namespace tilemeter::compute {

namespace {

// Sums of as many parts as a vector of doubles has, so that one addition need not wait for the one before.
constexpr std::size_t kLanes = 8;

double sum_of(const std::array<double, kLanes>& lanes) {
    return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

TILEMETER_VECTORIZED double sum(const float* values, std::size_t count) {
    std::array<double, kLanes> lanes{};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] += static_cast<double>(values[i + lane]);
    }
    for (; i < count; ++i)
        lanes[0] += static_cast<double>(values[i]);
    return sum_of(lanes);
}

TILEMETER_VECTORIZED double sum_of_squares(const float* values, std::size_t count, double centre) {
    std::array<double, kLanes> lanes{};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const double x = static_cast<double>(values[i + lane]) - centre;
            lanes[lane] += x * x;
        }
    }
    for (; i < count; ++i) {
        const double x = static_cast<double>(values[i]) - centre;
        lanes[0] += x * x;
    }
    return sum_of(lanes);
}

// `weight`, `bias`: null for none.
TILEMETER_VECTORIZED void scale_row(float* values, std::size_t count, double mean, double scale,
                                    const float* weight, const float* bias) {
    for (std::size_t i = 0; i < count; ++i) {
        double x = (static_cast<double>(values[i]) - mean) * scale;
        if (weight != nullptr) x *= static_cast<double>(weight[i]);
        if (bias != nullptr) x += static_cast<double>(bias[i]);
        values[i] = static_cast<float>(x);
    }
}

// Making a primitive takes longer than running it on few rows: a thread keeps its last ones.
const dnnl::softmax_v2_forward& softmax_of(const Shape& shape, std::size_t dimension) {
    constexpr std::size_t kKept = 32;
    using Key = std::pair<std::vector<std::uint32_t>, std::size_t>;
    thread_local std::map<Key, dnnl::softmax_v2_forward> kept;
    Key key({shape.dimensions().begin(), shape.dimensions().end()}, dimension);
    const auto found = kept.find(key);
    if (found != kept.end()) return found->second;
    if (kept.size() >= kKept) kept.clear();
    const dnnl::memory::desc desc = row_major(shape);
    const dnnl::softmax_v2_forward::primitive_desc primitive(
        {dnnl::prop_kind::forward_inference, dnnl::algorithm::softmax_accurate, desc, desc,
         static_cast<int>(dimension)},
        engine());
    return kept.emplace(std::move(key), dnnl::softmax_v2_forward(primitive)).first->second;
}

}  // namespace

std::vector<float> softmax(std::span<const float> values, const Shape& shape, std::size_t dimension) {
    std::vector<float> result(values.begin(), values.end());
    if (result.empty()) return result;
    const OneThread one_thread;
    const dnnl::memory memory = over(row_major(shape), std::span(result));
    run("softmax", softmax_of(shape, dimension), {{DNNL_ARG_SRC, memory}, {DNNL_ARG_DST, memory}});
    return result;
}

void softmax_rows(std::span<float> rows, std::uint64_t width) {
    if (rows.empty()) return;
    const Shape shape{static_cast<std::uint32_t>(rows.size() / width), static_cast<std::uint32_t>(width)};
    const OneThread one_thread;
    const dnnl::memory memory = over(row_major(shape), rows);
    run("softmax", softmax_of(shape, 1), {{DNNL_ARG_SRC, memory}, {DNNL_ARG_DST, memory}});
}

void normalize_rows(RowStatistic statistic, std::span<float> rows, std::uint64_t width, float epsilon,
                    std::span<const float> weight, std::span<const float> bias) {
    const auto count = static_cast<double>(width);
    const bool centred = statistic == RowStatistic::kMeanAndVariance;
    for (std::size_t first = 0; first < rows.size(); first += width) {
        float* const row = rows.data() + first;
        const double mean = centred ? sum(row, width) / count : 0.0;
        const double square = sum_of_squares(row, width, mean);
        const double scale = 1.0 / std::sqrt(square / count + static_cast<double>(epsilon));
        scale_row(row, width, mean, scale, weight.empty() ? nullptr : weight.data(),
                  bias.empty() ? nullptr : bias.data());
    }
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
