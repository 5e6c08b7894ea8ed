// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <cctype>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/compiled/call.hpp"

namespace tilemeter::compiled {
namespace {

// `$name =` words that rows share; then operations of the dialect, without "ttnn.", and where their arguments come from. `a -> f`:
// the function has another name than the operation.
//
//   0=input            an operand by its place (with operand segments, by its segment); without a tensor there, none
//   0*=tensors         the operands of that segment, without segments all from there on, as a list
//   dim_arg=dim, dim   an attribute, the parameter's name second
//   padding%pairs      an attribute, its numbers two by two
//   >memory=config     of the first result's type: memory, dtype, layout, shape
//   device             the one that the program runs on
//   keepdim:false      a constant
//   -name              an attribute that the call does without
//   by_name            Python takes no argument of it by its place
constexpr std::string_view kTable = R"(
$activations = activations input_tensor_a_activations input_tensor_b_activations
$binary = 0=input_tensor_a 1=input_tensor_b >dtype >memory=memory_config $activations -dtype -output_dtype -memory_config
$same_type = 0=input_tensor_a 1=input_tensor_b >memory=memory_config $activations -dtype -output_dtype -memory_config
add subtract multiply divide : $binary
eq ne ge gt le lt logical_and logical_or logical_xor : $binary
logical_right_shift logical_left_shift bitwise_and bitwise_or bitwise_xor : $same_type
maximum minimum remainder : $same_type
pow -> pow : $same_type
pow_tensor -> pow : $same_type
pow_scalar -> pow : 0=input_tensor rhs=exponent >memory=memory_config
atan2 : 0=input_tensor_b 1=input_tensor_a >memory=memory_config $activations
where : 0=predicate 1=true_value 2=false_value >memory=memory_config -memory_config

$unary = 0=input_tensor >memory=memory_config -dtype -memory_config
$fast_or_not = $unary fast_and_approximate_mode:false
abs ceil cos acos floor isfinite logical_not neg relu relu6 hardsigmoid silu sin asin asinh : $unary
reciprocal sign tan atan expm1 bitwise_not erfc cbrt sigmoid tanh : $unary
gelu sqrt rsqrt mish exp log erf log1p : $fast_or_not
leaky_relu : $unary parameter=negative_slope
clamp_scalar -> clamp : $unary min max
clamp_tensor -> clamp : 0=input_tensor 1=min 2=max >memory=memory_config -memory_config
bitcast_convert -> bitcast : 0=input_tensor >dtype >memory=memory_config -dtype -memory_config
typecast : 0=input_tensor >dtype >memory=memory_config -dtype -memory_config
quantize : 0=input_tensor 1=scale 2=zero_point axis >dtype >memory=memory_config -output_dtype -memory_config
dequantize : 0=input_tensor 1=scale 2=zero_point axis >dtype >memory=memory_config -output_dtype -memory_config

$reduction = 0=input_tensor dim_arg=dim keep_dim=keepdim >memory=memory_config compute_config=compute_kernel_config
sum mean max min : $reduction -memory_config
argmax : 0=input_tensor dim keep_dim=keepdim >memory=memory_config -use_multicore -memory_config
prod : 0=input_tensor dim_arg=dim keep_dim=keepdim >memory=memory_config -memory_config
cumsum : 0=input dim >memory=memory_config -dtype -memory_config
topk : 0=input_tensor k dim largest sorted >memory=memory_config -memory_config
softmax : 0=input_tensor dimension=dim >memory=memory_config compute_config=compute_kernel_config numericStable=numeric_stable

$product = 0=input_tensor_a 1=input_tensor_b transpose_a transpose_b >memory=memory_config >dtype matmul_program_config=program_config
$computed = activation compute_config=compute_kernel_config -dtype -memory_config
matmul : $product $computed
linear : $product 2=bias $computed

$norm = 0=input_tensor 1=weight 2=bias epsilon >memory=memory_config -memory_config
rms_norm : $norm compute_config=compute_kernel_config
layer_norm : $norm -compute_config
batch_norm_inference -> batch_norm : 0=input 1=running_mean 2=running_var 3=weight 4=bias epsilon=eps >memory=memory_config -memory_config compute_config=compute_kernel_config
embedding : 0=input_tensor 1=weight >layout >dtype >memory=memory_config -dtype -memory_config
embedding_bw : 0=input_tensor 1=weight_tensor 2=output_gradient_tensor >dtype >memory=memory_config -dtype -memory_config

to_layout : 0=tensor >layout >dtype >memory=memory_config -layout -dtype -memory_config
to_memory_config : 0=tensor >memory=memory_config -memory_config
to_device : 0=tensor device >memory=memory_config -memory_config
from_device : 0=tensor
assign : 0=input_tensor >memory=memory_config >dtype -output_dtype -memory_config
copy : 0=input_a 1=input_b
concat : 0*=tensors dim >memory=memory_config -memory_config
gather : 0=input 1=index dim >memory=memory_config -memory_config
pad : 0=input_tensor padding%pairs value use_multicore >memory=memory_config -memory_config
permute : 0=input_tensor permutation=dims >memory=memory_config pad_value -memory_config
repeat : 0=input_tensor repeat_dims >memory=memory_config -memory_config
repeat_interleave : 0=input_tensor repeats dim >memory=memory_config -memory_config
reshape : 0=input_tensor shape >memory=memory_config -memory_config
scatter : 0=input 1=index 2=src dim >memory=memory_config -memory_config
slice_static -> slice : 0=input_tensor begins=slice_start ends=slice_end step=slice_step >memory=memory_config -memory_config
slice_dynamic -> slice : 0=input_tensor 1=starts 2=ends step=slice_step >memory=memory_config -memory_config
sort : 0=input_tensor dim descending stable >memory=memory_config -memory_config
transpose : 0=input_tensor dim0=dim1 dim1=dim2 >memory=memory_config -memory_config

$filled = >dtype >layout device >memory=memory_config -dtype -layout -memory_config
full : >shape fill_value fillValue=fill_value $filled -shape
zeros ones empty : >shape $filled -shape
arange : start end step $filled

$window = stride padding dilation groups batch_size
$convolution = by_name 0=input_tensor 1=weight_tensor 2=bias_tensor in_channels out_channels kernel_size $window >dtype device
$configs = conv2d_config=conv_config compute_config conv2d_slice_config=slice_config
conv2d : $convolution input_height input_width $configs >memory=memory_config -dtype -memory_config
conv1d : $convolution input_length $configs >memory=memory_config -dtype -memory_config
conv_transpose2d : $convolution input_height input_width output_padding conv2d_config=conv_config compute_config conv2d_slice_config=dram_slice_config >memory=memory_config -dtype -memory_config
$prepared = by_name input_memory_config input_tensor_layout=input_layout in_channels out_channels input_height input_width kernel_size $window input_dtype output_dtype device $configs
prepare_conv2d_weights -> prepare_conv_weights : 0=weight_tensor weights_format has_bias $prepared
prepare_conv2d_bias -> prepare_conv_bias : 0=bias_tensor $prepared
$pool = 0=input_tensor batch_size input_height=input_h input_width=input_w channels kernel_size stride padding ceil_mode >memory=memory_config >dtype >layout=output_layout applied_shard_scheme reallocate_halo_output config_tensors_in_dram=config_tensor_in_dram -dtype -output_layout -memory_config
max_pool2d : $pool dilation
avg_pool2d : $pool count_include_pad -dilation
upsample : 0=input_tensor scale_factor mode >memory=memory_config -memory_config

concatenate_heads -> transformer::concatenate_heads : 0=input_tensor >memory=memory_config -memory_config
nlp_concat_heads -> experimental::nlp_concat_heads : 0=input_tensor >memory=memory_config -memory_config
nlp_concat_heads_decode -> experimental::nlp_concat_heads_decode : 0=input_tensor num_heads >memory=memory_config -memory_config
rotary_embedding -> experimental::rotary_embedding : 0=input_tensor 1=cos_cache 2=sin_cache token_index >memory=memory_config compute_config=compute_kernel_config -memory_config
rotary_embedding_llama -> experimental::rotary_embedding_llama : 0=input_tensor 1=cos_cache 2=sin_cache 3=trans_mat is_decode_mode >memory=memory_config compute_config=compute_kernel_config -memory_config
scaled_dot_product_attention -> transformer::scaled_dot_product_attention : 0=input_tensor_q 1=input_tensor_k 2=input_tensor_v 3=attn_mask 4=attention_sink is_causal scale sliding_window_size program_config >memory=memory_config -memory_config
split_query_key_value_and_split_heads -> transformer::split_query_key_value_and_split_heads : 0=input_tensor 1=kv_input_tensor num_heads num_kv_heads transpose_key >memory=memory_config -memory_config
fill_cache : 0=cache_tensor 1=input_tensor batch_offset=batch_idx
paged_update_cache -> experimental::paged_update_cache : 0=cache_tensor 1=input_tensor 2=update_idxs_tensor 3=page_table share_cache
paged_fill_cache -> experimental::paged_fill_cache : 0=cache_tensor 1=input_tensor 2=page_table 3=batch_idx_tensor

all_gather : 0=input_tensor all_gather_dim=dim cluster_axis num_links topology >memory=memory_config -memory_config -sub_device_id
all_reduce : 0=input_tensor cluster_axis num_links topology >memory=memory_config -memory_config -sub_device_id -reduce_type
reduce_scatter : 0=input_tensor scatter_dim=dim cluster_axis num_links topology >memory=memory_config compute_config=compute_kernel_config -memory_config -sub_device_id -reduce_type
)";

using Words = std::vector<std::string>;

Words words_in(std::string_view text, const std::map<std::string, Words>& shared) {
    Words words;
    std::istringstream stream{std::string(text)};
    for (std::string word; stream >> word;) {
        if (!word.starts_with('$')) {
            words.push_back(word);
            continue;
        }
        const Words& more = shared.at(word);
        words.insert(words.end(), more.begin(), more.end());
    }
    return words;
}

// "a=b" in two; without the sign, twice the same.
std::pair<std::string, std::string> halves(const std::string& word) {
    const std::size_t sign = word.find('=');
    if (sign == std::string::npos) return {word, word};
    return {word.substr(0, sign), word.substr(sign + 1)};
}

ArgumentRule argument_in(const std::string& word) {
    using From = ArgumentRule::From;
    if (word.starts_with('-')) return {From::kNothing, 0, word.substr(1), {}};
    if (word == "device") return {From::kDevice, 0, {}, word};
    if (const std::size_t colon = word.find(':'); colon != std::string::npos)
        return {From::kConstant, 0, word.substr(colon + 1), word.substr(0, colon)};
    if (const std::size_t sign = word.find('%'); sign != std::string::npos)
        return {From::kPairs, 0, word.substr(0, sign), word.substr(0, sign)};
    if (word.starts_with('>')) {
        auto [source, parameter] = halves(word.substr(1));
        return {From::kResult, 0, std::move(source), std::move(parameter)};
    }
    auto [source, parameter] = halves(word);
    if (std::isdigit(static_cast<unsigned char>(word.front())) == 0)
        return {From::kAttribute, 0, std::move(source), std::move(parameter)};
    const From from = source.ends_with('*') ? From::kOperands : From::kOperand;
    return {from, std::stoul(source), {}, std::move(parameter)};
}

std::vector<CallRule> read_table() {
    std::vector<CallRule> rules;
    std::map<std::string, Words> shared;
    std::istringstream lines{std::string(kTable)};
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) continue;
        if (line.starts_with('$')) {
            const std::size_t sign = line.find(" = ");
            shared[line.substr(0, sign)] = words_in(std::string_view(line).substr(sign + 3), shared);
            continue;
        }
        const std::size_t colon = line.find(" : ");
        const Words words = words_in(std::string_view(line).substr(colon + 3), shared);
        std::istringstream names(line.substr(0, colon));
        std::string name, sign, function;
        while (names >> name) {
            if (line.find(" -> ") < colon)
                names >> sign >> function;
            else
                function = name;
            CallRule& rule = rules.emplace_back(CallRule{"ttnn." + name, function, false, {}});
            for (const std::string& word : words) {
                if (word == "by_name")
                    rule.is_by_name = true;
                else
                    rule.arguments.push_back(argument_in(word));
            }
        }
    }
    return rules;
}

}  // namespace

const std::vector<CallRule>& call_rules() {
    static const std::vector<CallRule> kRules = read_table();
    return kRules;
}

const CallRule* find_rule(std::string_view operation) {
    static const std::map<std::string_view, const CallRule*> kByName = [] {
        std::map<std::string_view, const CallRule*> by_name;
        for (const CallRule& rule : call_rules())
            by_name.emplace(rule.operation, &rule);
        return by_name;
    }();
    const auto found = kByName.find(operation);
    return found == kByName.end() ? nullptr : found->second;
}

}  // namespace tilemeter::compiled
