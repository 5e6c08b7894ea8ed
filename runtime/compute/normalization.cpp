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

}  // namespace tilemeter::compute
