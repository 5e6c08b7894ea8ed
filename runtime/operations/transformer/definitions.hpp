// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The definitions of this family: who adds one adds it here.

#pragma once

#include "runtime/operations/core/definition.hpp"
#include "runtime/operations/transformer/attention.hpp"
#include "runtime/operations/transformer/attention_heads.hpp"
#include "runtime/operations/transformer/attention_heads_decode.hpp"
#include "runtime/operations/transformer/embedding.hpp"
#include "runtime/operations/transformer/embedding_backward.hpp"
#include "runtime/operations/transformer/fused_heads.hpp"
#include "runtime/operations/transformer/grouped_heads.hpp"
#include "runtime/operations/transformer/indexer_score.hpp"
#include "runtime/operations/transformer/kv_cache.hpp"
#include "runtime/operations/transformer/latent_attention.hpp"
#include "runtime/operations/transformer/model_heads.hpp"
#include "runtime/operations/transformer/paged_cache.hpp"
#include "runtime/operations/transformer/rotary_embedding.hpp"
#include "runtime/operations/transformer/rotary_embedding_fused.hpp"
#include "runtime/operations/transformer/rotary_embedding_hf.hpp"
#include "runtime/operations/transformer/state_space.hpp"

namespace tilemeter {

using TransformerDefinitions = Definitions<
    Embedding, EmbeddingGradient, FillCache, UpdateCache, kv_cache::FillCacheForUser,
    kv_cache::UpdateCacheForToken, transformer::ScaledDotProductAttention,
    transformer::ScaledDotProductAttentionDecode, transformer::PagedScaledDotProductAttentionDecode,
    transformer::ChunkedScaledDotProductAttention, transformer::FlashMlaPrefill,
    transformer::FlashMlaPrefillOfValues, transformer::ChunkedFlashMlaPrefill,
    transformer::FlashMultiLatentAttentionDecode, transformer::PagedFlashMultiLatentAttentionDecode,
    transformer::JointScaledDotProductAttention, transformer::RingDistributedScaledDotProductAttention,
    transformer::SplitQueryKeyValueAndSplitHeads, transformer::ConcatenateHeads,
    experimental::NlpCreateQkvHeads, experimental::NlpConcatHeads, experimental::NlpCreateQkvHeadsDecode,
    experimental::NlpConcatHeadsDecode, experimental::CreateQkvHeads,
    experimental::CreateQkvHeadsFromSeparateTensors, experimental::NlpCreateQkvHeadsFalcon7b,
    experimental::NlpCreateQkvHeadsVit, experimental::NlpCreateQkvHeadsSegformer,
    experimental::SplitFusedHeads, experimental::ConcatenateFusedHeads, experimental::RotateHalf,
    experimental::RotaryEmbedding, experimental::RotaryEmbeddingLlama,
    experimental::RotaryEmbeddingLlamaFusedQk, experimental::RotaryEmbeddingHf,
    experimental::PagedUpdateCache, experimental::PagedFusedUpdateCache, experimental::PagedFillCache,
    experimental::IndexerScoreDsa, experimental::RepeatAndInterleaveEltwiseMul, experimental::HcSumReduce,
    experimental::PrefixScan>;

}  // namespace tilemeter
