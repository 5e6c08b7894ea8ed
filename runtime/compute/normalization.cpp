// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/normalization.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "runtime/compute/onednn.hpp"
#include "runtime/compute/vector_exp.hpp"
#include "runtime/types/vectorized.hpp"

namespace tilemeter::compute {

namespace {

// Sums of as many parts as a few vectors have, so that one addition need not wait for the one before; in float for so
// many additions to a part, in double from there on.
constexpr std::size_t kLanes = 32;
constexpr std::size_t kAtOnce = 16 * kLanes;

constexpr float kNothing = -std::numeric_limits<float>::infinity();

using Lanes = std::array<float, kLanes>;

[[gnu::always_inline]] inline double sum_of(Lanes lanes) {
    constexpr std::size_t kFew = 4;
    for (std::size_t half = kLanes / 2; half >= kFew; half /= 2) {
        for (std::size_t i = 0; i < half; ++i)
            lanes[i] += lanes[i + half];
    }
    return std::accumulate(lanes.begin(), lanes.begin() + kFew, 0.0);
}

TILEMETER_VECTORIZED double sum(const float* values, std::size_t count) {
    const std::size_t in_lanes = count - count % kLanes;
    double total = 0.0;
    for (std::size_t first = 0; first < in_lanes; first += kAtOnce) {
        Lanes lanes{};
        for (std::size_t i = first; i < std::min(first + kAtOnce, in_lanes); i += kLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                lanes[lane] += values[i + lane];
        }
        total += sum_of(lanes);
    }
    for (std::size_t i = in_lanes; i < count; ++i)
        total += static_cast<double>(values[i]);
    return total;
}

struct Distances {
    double sum = 0.0;
    double squares = 0.0;
};

// The distances of the values to `centre`.
TILEMETER_VECTORIZED Distances distances(const float* values, std::size_t count, float centre) {
    const std::size_t in_lanes = count - count % kLanes;
    Distances total;
    for (std::size_t first = 0; first < in_lanes; first += kAtOnce) {
        Lanes lanes{}, squares{};
        for (std::size_t i = first; i < std::min(first + kAtOnce, in_lanes); i += kLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const float x = values[i + lane] - centre;
                lanes[lane] += x;
                squares[lane] += x * x;
            }
        }
        total.sum += sum_of(lanes);
        total.squares += sum_of(squares);
    }
    for (std::size_t i = in_lanes; i < count; ++i) {
        const float x = values[i] - centre;
        total.sum += static_cast<double>(x);
        total.squares += static_cast<double>(x * x);
    }
    return total;
}

// (x - centre - rest) * scale, times `weight`, plus `bias`, which are null for none.
TILEMETER_VECTORIZED void scale_row(float* values, std::size_t count, float centre, float rest, float scale,
                                    const float* weight, const float* bias) {
    if (weight != nullptr && bias != nullptr) {
        for (std::size_t i = 0; i < count; ++i)
            values[i] = (values[i] - centre - rest) * scale * weight[i] + bias[i];
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        values[i] = (values[i] - centre - rest) * scale;
    for (std::size_t i = 0; weight != nullptr && i < count; ++i)
        values[i] *= weight[i];
    for (std::size_t i = 0; bias != nullptr && i < count; ++i)
        values[i] += bias[i];
}

// `beside`: one more element, which takes its share and is no part of the row.
TILEMETER_VECTORIZED void softmax_row(float* row, std::size_t count, float beside) {
    const std::size_t in_lanes = count - count % kLanes;
    Lanes largest;
    largest.fill(row[0]);
    for (std::size_t i = 0; i < in_lanes; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            largest[lane] = row[i + lane] > largest[lane] ? row[i + lane] : largest[lane];
    }
    for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i)
            largest[i] = largest[i + half] > largest[i] ? largest[i + half] : largest[i];
    }
    float most = beside > largest[0] ? beside : largest[0];
    for (std::size_t i = in_lanes; i < count; ++i)
        most = row[i] > most ? row[i] : most;
    for (std::size_t i = 0; i < count; ++i)
        row[i] = exp_of(row[i] - most);
    const auto share =
        static_cast<float>(1.0 / (sum(row, count) + static_cast<double>(exp_of(beside - most))));
    for (std::size_t i = 0; i < count; ++i)
        row[i] *= share;
}

// Making a primitive takes longer than running it on few rows: a thread keeps its last ones.
const SoftmaxForward& softmax_of(const Shape& shape, std::size_t dimension) {
    constexpr std::size_t kKept = 32;
    using Key = std::pair<std::vector<std::uint32_t>, std::size_t>;
    // Behind a pointer: what threads have of their own lies in a room that libraries loaded late share.
    thread_local const auto kept_by_thread = std::make_unique<std::map<Key, SoftmaxForward>>();
    auto& kept = *kept_by_thread;
    Key key({shape.dimensions().begin(), shape.dimensions().end()}, dimension);
    const auto found = kept.find(key);
    if (found != kept.end()) return found->second;
    if (kept.size() >= kKept) kept.clear();
    const dnnl::memory::desc desc = row_major(shape);
    const auto primitive = described_as<SoftmaxForward>({}, dnnl::prop_kind::forward_inference,
                                                        dnnl::algorithm::softmax_accurate, desc, desc,
                                                        static_cast<int>(dimension));
    return kept.emplace(std::move(key), SoftmaxForward(primitive)).first->second;
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
    for (std::size_t first = 0; first < rows.size(); first += width)
        softmax_row(rows.data() + first, width, kNothing);
}

void softmax_row_beside(std::span<float> row, float beside) {
    const auto is_nothing = [](float each) { return each == kNothing; };
    if (is_nothing(beside) && std::ranges::all_of(row, is_nothing)) {
        std::ranges::fill(row, 0.0F);
        return;
    }
    softmax_row(row.data(), row.size(), beside);
}

void normalize_rows(RowStatistic statistic, std::span<float> rows, std::uint64_t width, float epsilon,
                    std::span<const float> weight, std::span<const float> bias) {
    const auto count = static_cast<double>(width);
    const bool centred = statistic == RowStatistic::kMeanAndVariance;
    for (std::size_t first = 0; first < rows.size(); first += width) {
        float* const row = rows.data() + first;
        // About a float near the mean, what is left of the mean taken off afterwards.
        const float centre = centred ? static_cast<float>(sum(row, width) / count) : 0.0F;
        const Distances found = distances(row, width, centre);
        const double rest = centred ? found.sum / count : 0.0;
        const double square = std::max(found.squares / count - rest * rest, 0.0);
        const double scale = 1.0 / std::sqrt(square + static_cast<double>(epsilon));
        scale_row(row, width, centre, static_cast<float>(rest), static_cast<float>(scale),
                  weight.empty() ? nullptr : weight.data(), bias.empty() ? nullptr : bias.data());
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
