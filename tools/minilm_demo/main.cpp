// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// minilm_demo: embeds sentences with all-MiniLM-L6-v2 on a modelled n150, and captures what that does to its
// memory.

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "capture/graph/graph_processor.hpp"
#include "capture/log/log.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/reduction/reduction.hpp"
#include "tools/command/arguments.hpp"
#include "tools/minilm_demo/batch.hpp"
#include "tools/minilm_demo/embeddings.hpp"
#include "tools/minilm_demo/encoder.hpp"
#include "tools/minilm_demo/sentences.hpp"
#include "tools/minilm_demo/summary.hpp"
#include "tools/minilm_demo/weights.hpp"

namespace {

using namespace tilemeter;        // NOLINT(google-build-using-namespace): the program is about this library
using namespace tilemeter::demo;  // NOLINT(google-build-using-namespace)

constexpr double kEnough = 0.999;  // the accuracy of bfloat16 with room to spare

struct Options {
    std::filesystem::path weights;
    std::filesystem::path sentences;
    std::filesystem::path out = "build/demo";
    std::string dtype = "bfloat16";
    std::string device = "n150";
};

struct Run {
    graph::CapturedGraph graph;
    std::vector<float> hidden;  ///< the encoder's output; zeros where nothing was computed
    double seconds;
    std::filesystem::path file;
};

Run capture(const Encoder& encoder, const Batch& batch, const std::shared_ptr<Device>& device,
            graph::RunMode mode, const std::filesystem::path& file) {
    const auto start = std::chrono::steady_clock::now();
    graph::GraphProcessor::begin_graph_capture(mode);
    const Tensor tokens = to_device(batch.tokens, device);
    const Tensor mask = to_device(batch.mask, device);
    const Tensor hidden = encoder(tokens, mask);
    const Tensor pooled = mean(hidden, 1);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    graph::CapturedGraph graph = graph::GraphProcessor::end_graph_capture_to_file(file);
    const bool computed = mode == graph::RunMode::NORMAL;
    return {std::move(graph), computed ? hidden.to_vector<float>() : std::vector<float>(), seconds.count(),
            file};
}

// Gives the smallest cosine with the embeddings of the model's own code.
double print_neighbours(const std::vector<Sentence>& sentences,
                        const std::vector<std::vector<float>>& embeddings) {
    std::cout << "Each sentence and its nearest neighbour:\n";
    double worst = 1;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const std::size_t other = nearest(embeddings, i);
        std::printf("  %-62s %.2f  %s\n", sentences[i].text.c_str(), cosine(embeddings[i], embeddings[other]),
                    sentences[other].text.c_str());
        worst = std::min(worst, cosine(embeddings[i], sentences[i].expected));
    }
    std::printf("Cosine with the embeddings of the model's own code, worst of %zu: %.6f\n", sentences.size(),
                worst);
    return worst;
}

void print_run(const char* title, const Run& run) {
    std::printf("\n%s, %.3f s\n%s  report               %s\n", title, run.seconds,
                summary_of(run.graph).c_str(), run.file.c_str());
}

int run(const Options& options) {
    const std::vector<Sentence> sentences = read_sentences(options.sentences);
    if (sentences.size() < 2)
        throw std::runtime_error(options.sentences.string() + ": expected at least two sentences");
    const DataType dtype = options.dtype == "float32" ? float32 : bfloat16;
    DeviceOptions device_options;
    device_options.description = options.device;
    const std::shared_ptr<Device> device = open_device(0, device_options);
    EncoderOptions encoder_options;
    encoder_options.dtype = dtype;
    const Encoder encoder(encoder_options, weights_from_file(options.weights, device));
    const Batch batch = make_batch(sentences, dtype);
    std::filesystem::create_directories(options.out);

    // Planned first: that says what the run will take before it takes it.
    const Run planned =
        capture(encoder, batch, device, graph::RunMode::NO_DISPATCH, options.out / "minilm.NO_DISPATCH.json");
    const Run executed =
        capture(encoder, batch, device, graph::RunMode::NORMAL, options.out / "minilm.NORMAL.json");

    std::printf("all-MiniLM-L6-v2 on a modelled %s, %zu sentences of up to %u tokens, %s\n\n",
                options.device.c_str(), sentences.size(), Encoder::kSequence, options.dtype.c_str());
    const double worst = print_neighbours(sentences, pool(executed.hidden, sentences));
    print_run("Planned only (NO_DISPATCH): nothing computed, nothing allocated", planned);
    print_run("Executed (NORMAL)", executed);
    if (worst < kEnough) {
        throw std::runtime_error("embeddings: expected a cosine of at least " + std::to_string(kEnough) +
                                 ", found " + std::to_string(worst));
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    tilemeter::logging::set_default_level(tilemeter::logging::Level::kWarn);
    Options options;
    const command::Program program{
        .name = "minilm_demo",
        .documentation =
            "Embeds sentences with all-MiniLM-L6-v2 on a modelled device and captures what it does to the "
            "memory.",
        .parameters = {
            {"--weights", &options.weights, "the model's weights (safetensors)", {.required = true}},
            {"--sentences",
             &options.sentences,
             "sentences as token ids, with expected embeddings",
             {.required = true}},
            {"--out", &options.out, "folder for the reports", {.shows_default = true}},
            {"--dtype",
             &options.dtype,
             "element type of weights and activations",
             {.shows_default = true, .one_of = {"bfloat16", "float32"}}},
            {"--device",
             &options.device,
             "name of a device, or a file with a description",
             {.shows_default = true}}}};
    if (const auto ended = command::parse(program, argc, argv)) return *ended;
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::cerr << "minilm_demo: " << command::one_line(error.what()) << "\n";
        return command::kBadInput;
    }
}
