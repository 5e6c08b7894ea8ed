// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What can't run on the GPU that is not there (stand_in.cpp): the first functions of libraries that have kernels of their own. Each
// says so once in a process, by name, and gives the library's own status for what is not supported.

#include <cstdio>
#include <map>
#include <mutex>

namespace {

constexpr int kUnsupported = 801;  // CUDA's runtime and the driver

std::mutex mutex;
const char* latest = nullptr;  // what was refused

/// Says once in a process that a library can't run here.
int refuse(const char* library, const char* instead, int status) {
    static std::map<const char*, bool> said;
    const std::scoped_lock lock(mutex);
    latest = library;
    if (!said[library])
        std::fprintf(stderr, "tilemeter: %s can't run on a GPU that is modelled%s\n", library, instead);
    said[library] = true;
    return status;
}

constexpr const char* kWithoutCudnn =
    ": torch.backends.cudnn.enabled = False, torch.backends.cuda.enable_cudnn_sdp(False)";

}  // namespace

extern "C" {

/// What was refused last in this process; null: nothing. PyTorch's own message need not name it.
const char* tilemeter_refused() {
    const std::scoped_lock lock(mutex);
    return latest;
}

int cudaStreamBeginCapture(void* /*stream*/, int /*mode*/) {
    return refuse("a CUDA graph", "", kUnsupported);
}
int cuModuleLoadData(void** /*made*/, const void* /*image*/) {
    return refuse("a kernel that is compiled at run time (Triton, NVRTC)", "", kUnsupported);
}
int cuModuleLoadDataEx(void** made, const void* image, ...) {
    return cuModuleLoadData(made, image);
}
int cuLibraryLoadData(void** made, const void* image, ...) {
    return cuModuleLoadData(made, image);
}
int nvrtcCreateProgram(void** /*made*/, const char* /*text*/, const char* /*name*/, int /*headers*/,
                       const void* /*texts*/, const void* /*names*/) {
    return refuse("a kernel that is compiled at run time (NVRTC)", "", 1);
}

// ---- libraries that can't run: their first functions

int cudnnCreate(void** /*made*/) {
    return refuse("cuDNN", kWithoutCudnn, 3000);  // CUDNN_STATUS_NOT_SUPPORTED
}
const char* cudnnGetErrorString(int /*status*/) {
    return "cuDNN can't run on a GPU that is modelled";
}
int cusolverDnCreate(void** /*made*/) {
    return refuse("cuSOLVER", "", 9);  // CUSOLVER_STATUS_NOT_SUPPORTED
}
int cusparseCreate(void** /*made*/) {
    return refuse("cuSPARSE", "", 10);  // CUSPARSE_STATUS_NOT_SUPPORTED
}
const char* cusparseGetErrorString(int /*status*/) {
    return "cuSPARSE can't run on a GPU that is modelled";
}
int cufftCreate(void* /*made*/) {
    return refuse("cuFFT", "", 16);  // CUFFT_NOT_SUPPORTED
}
int ncclGetUniqueId(void* /*made*/) {
    return refuse("NCCL", "", 3);  // ncclInternalError
}
int ncclCommInitRank(void** /*made*/, int /*ranks*/, ...) {
    return refuse("NCCL", "", 3);
}
int ncclCommInitRankConfig(void** /*made*/, int /*ranks*/, ...) {
    return refuse("NCCL", "", 3);
}
int ncclCommInitAll(void** /*made*/, int /*devices*/, const int* /*numbers*/) {
    return refuse("NCCL", "", 3);
}
const char* ncclGetErrorString(int /*status*/) {
    return "NCCL can't run on a GPU that is modelled";
}

}  // extern "C"
