// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/sizes_render.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/analysis/memory/failure.hpp"

namespace tilemeter::analysis {

using Json = nlohmann::ordered_json;

namespace {

Json json_of(const WorkloadAtSize& run) {
    Json json{{"size", run.size},
              {"verdict", run.fits ? "fits" : "does_not_fit"},
              {"l1_bytes_per_core", run.l1_bytes},
              {"dram_bytes_per_bank", run.dram_bytes},
              {"operation", run.operation}};
    if (run.fits) return json;
    json["cause"] = std::string(name_of(run.cause));
    json["message"] = run.message;
    return json;
}

Json json_of(const std::optional<WorkloadAtSize>& run) {
    return run ? json_of(*run) : Json(nullptr);
}

Json json_of(const std::vector<SizeSpan>& spans) {
    Json json = Json::array();
    for (const SizeSpan& each : spans)
        json.push_back({{"begin", each.begin}, {"end", each.end}});
    return json;
}

// Sizes at which the peak differs from the size before, of sizes that were computed.
Json jumps_of(const PeakSizes& peaks, std::uint64_t WorkloadAtSize::*bytes) {
    Json json = Json::array();
    for (std::size_t i = 1; i < peaks.computed.size(); ++i) {
        const WorkloadAtSize& before = peaks.computed[i - 1];
        const WorkloadAtSize& after = peaks.computed[i];
        if (before.size + 1 != after.size || !before.fits || !after.fits || before.*bytes == after.*bytes)
            continue;
        json.push_back({{"size", after.size}, {"from_bytes", before.*bytes}, {"to_bytes", after.*bytes}});
    }
    return json;
}

// Yes for all sizes that were asked for: what is not known may be another one.
Json all_fit(const PeakSizes& peaks) {
    if (!peaks.largest || peaks.next || !peaks.failing.empty()) return false;
    return peaks.unknown.empty() ? Json(true) : Json(nullptr);
}

}  // namespace

nlohmann::ordered_json sizes_json(const PeakSizes& peaks, const std::string& name,
                                  const std::string& device) {
    Json computed = Json::array(), interpolated = Json::array();
    for (const WorkloadAtSize& each : peaks.computed)
        computed.push_back(json_of(each));
    for (const InterpolatedSpan& each : peaks.interpolated)
        interpolated.push_back({{"begin", each.sizes.begin}, {"end", each.sizes.end}});
    return {{"all_fit", all_fit(peaks)},
            {"size", name},
            {"device", device},
            {"smallest", peaks.sizes.smallest},
            {"largest", peaks.sizes.largest},
            {"largest_fitting", json_of(peaks.largest)},
            {"next", json_of(peaks.next)},
            {"failing_below", json_of(peaks.failing)},
            {"l1_per_core", peaks.largest ? Json(peaks.l1.text(name)) : Json(nullptr)},
            {"dram_per_bank", peaks.largest ? Json(peaks.dram.text(name)) : Json(nullptr)},
            {"l1_jumps", jumps_of(peaks, &WorkloadAtSize::l1_bytes)},
            {"dram_jumps", jumps_of(peaks, &WorkloadAtSize::dram_bytes)},
            {"computed", computed},
            {"interpolated", interpolated},
            {"not_known", json_of(peaks.unknown)}};
}

}  // namespace tilemeter::analysis
