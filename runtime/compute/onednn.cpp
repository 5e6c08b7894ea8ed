// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/onednn.hpp"

#include <string>

#include "runtime/types/runtime_error.hpp"

// Functions of OpenMP's runtime; <omp.h> comes with some compilers only.
extern "C" {
int omp_get_max_threads();
void omp_set_num_threads(int count);
}

namespace tilemeter::compute {

dnnl::engine& engine() {
    static auto& the_engine = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
    return the_engine;
}

dnnl::stream& stream() {
    thread_local dnnl::stream this_threads_stream(engine());
    return this_threads_stream;
}

dnnl::memory::desc row_major(const Shape& shape) {
    dnnl::memory::dims dims(shape.dimensions().begin(), shape.dimensions().end());
    if (dims.empty()) dims.push_back(1);
    dnnl::memory::dims strides(dims.size());
    dnnl::memory::dim stride = 1;
    for (std::size_t i = dims.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= dims[i];
    }
    return {dims, dnnl::memory::data_type::f32, strides};
}

dnnl::memory over(const dnnl::memory::desc& desc, std::span<const float> values) {
    return {desc, engine(), const_cast<float*>(values.data())};  // NOLINT: oneDNN has no read-only memory
}

dnnl::memory over(const dnnl::memory::desc& desc, std::span<float> values) {
    return {desc, engine(), values.data()};
}

OneThread::OneThread() : before_(omp_get_max_threads()) {
    omp_set_num_threads(1);
}

OneThread::~OneThread() {
    omp_set_num_threads(before_);
}

void run(const char* what, const dnnl::primitive& primitive,
         const std::unordered_map<int, dnnl::memory>& arguments) {
    try {
        primitive.execute(stream(), arguments);
        stream().wait();
    } catch (const dnnl::error& error) {
        throw RuntimeError(std::string(what) + ": oneDNN failed: " + error.message);
    }
}

}  // namespace tilemeter::compute
