// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The encoder of the demo, with its real weights where they have been fetched (tools/fetch_weights
// build/demo-data/minilm).

#include <filesystem>

#include <gtest/gtest.h>

#include "runtime/operations/creation/creation.hpp"
#include "tests/paths.hpp"
#include "tests/runtime/operations/open_devices.hpp"
#include "tools/minilm_demo/batch.hpp"
#include "tools/minilm_demo/embeddings.hpp"
#include "tools/minilm_demo/weights.hpp"

namespace tilemeter::demo {
namespace {

// The smallest cosine with the embeddings that the model's own code gives.
double worst_cosine(DataType dtype) {
    const std::vector<Sentence> sentences = read_sentences(test::data_folder() + "/minilm/sentences.json");
    const test::OpenDevice device;
    EncoderOptions options;
    options.dtype = dtype;
    const Encoder encoder(options, weights_from_file(test::weights_file(), device.get()));
    const Batch batch = make_batch(sentences, dtype);
    const Tensor hidden = encoder(to_device(batch.tokens, device.get()), to_device(batch.mask, device.get()));
    const std::vector<std::vector<float>> embeddings = pool(hidden.to_vector<float>(), sentences);
    double worst = 1;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        worst = std::min(worst, cosine(embeddings[i], sentences[i].expected));
    }
    EXPECT_EQ(sentences.size(), 8U);
    return worst;
}

class MiniLm : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(test::weights_file()))
            GTEST_SKIP() << "no weights at " << test::weights_file();
    }
};

TEST_F(MiniLm, in_bfloat16_gives_the_embeddings_of_the_models_own_code) {
    EXPECT_GE(worst_cosine(bfloat16), 0.999);
}

TEST_F(MiniLm, in_float32_gives_them_to_five_digits) {
    EXPECT_GE(worst_cosine(float32), 0.99999);
}

TEST(MiniLmWeights, that_are_no_safetensors_file_are_refused_with_their_name) {
    const test::OpenDevice device;
    try {
        weights_from_file(test::data_folder() + "/minilm/sentences.json", device.get());
        FAIL() << "expected an error";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("sentences.json: byte 0: expected the length of a header"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace tilemeter::demo
