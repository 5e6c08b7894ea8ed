// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The parts of oneDNN that all host computations share: one CPU engine, one stream per thread, plain
// row-major float32 memory.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include <oneapi/dnnl/dnnl.hpp>

#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

dnnl::engine& engine();

/// The number of products summed in the time of a step (parallel.hpp), roughly.
constexpr std::uint64_t products_per_step(dnnl::memory::data_type operands) {
    constexpr std::uint64_t kOfFloats = 24, kOfBfloat16 = 64;
    return operands == dnnl::memory::data_type::bf16 ? kOfBfloat16 : kOfFloats;
}
dnnl::stream& stream();  ///< of the calling thread

/// Row-major float32 of these dimensions.
dnnl::memory::desc row_major(const Shape& shape);

/// Memory over the caller's values. REQUIRES: they outlive it; input values are not written to.
dnnl::memory over(const dnnl::memory::desc& desc, std::span<const float> values);
dnnl::memory over(const dnnl::memory::desc& desc, std::span<float> values);

/// A primitive as oneDNN 2 and 3 describe it; the descriptions of operations that 2 has besides are gone in 3.
/// Throws dnnl::error, as `dnnl_unimplemented` where this processor has no kernel for it.
template <typename Primitive, typename... Arguments>
typename Primitive::primitive_desc described_as(const dnnl::primitive_attr& attributes,
                                                const Arguments&... arguments) {
#if DNNL_VERSION_MAJOR >= 3
    return {engine(), arguments..., attributes};
#else
    return {typename Primitive::desc(arguments...), attributes, engine()};
#endif
}

#if DNNL_VERSION_MAJOR >= 3
using SoftmaxForward = dnnl::softmax_forward;
#else
using SoftmaxForward = dnnl::softmax_v2_forward;
#endif

/// While it is there, what oneDNN makes and runs for the calling thread stays in that thread: threads are this folder's
/// own (parallel.hpp), not OpenMP's, which wait for each other in a loop.
class OneThread {
public:
    OneThread();
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;
    ~OneThread();

private:
    int before_;
};

/// Runs a primitive and waits for it. A failure inside oneDNN becomes a RuntimeError that names `what`.
void run(const char* what, const dnnl::primitive& primitive,
         const std::unordered_map<int, dnnl::memory>& arguments);

}  // namespace tilemeter::compute
