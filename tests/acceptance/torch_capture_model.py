# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Ten models of transformers, tiny and with random weights, captured live; what PyTorch itself counted goes to standard output.

usage: torch_capture_model.py cpu|cuda FOLDER [MODEL...]      a report for each run, a line of JSON for each report
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import tempfile
from collections.abc import Callable

import torch
import transformers

import tilemeter.torch

SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 500}
DECODER = SMALL | {"num_key_value_heads": 2, "max_position_embeddings": 256}
MODELS = {
    "albert": ("AlbertForMaskedLM", "AlbertConfig", SMALL | {"embedding_size": 32}),
    "bart": ("BartForConditionalGeneration", "BartConfig", {
        "d_model": 64, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
        "encoder_ffn_dim": 128, "decoder_ffn_dim": 128, "vocab_size": 500}),
    "bert": ("BertForMaskedLM", "BertConfig", SMALL),
    "distilbert": ("DistilBertForMaskedLM", "DistilBertConfig", {"dim": 64, "n_layers": 2, "n_heads": 4, "hidden_dim": 128, "vocab_size": 500}),
    "gpt2": ("GPT2LMHeadModel", "GPT2Config", {"n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 500, "bos_token_id": 0, "eos_token_id": 0}),
    "llama": ("LlamaForCausalLM", "LlamaConfig", DECODER),
    "mistral": ("MistralForCausalLM", "MistralConfig", DECODER | {"sliding_window": 16}),
    "opt": ("OPTForCausalLM", "OPTConfig", {
        "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 128, "vocab_size": 500, "word_embed_proj_dim": 64}),
    "qwen2": ("Qwen2ForCausalLM", "Qwen2Config", DECODER),
    "t5": ("T5ForConditionalGeneration", "T5Config", {
        "d_model": 64, "d_kv": 16, "num_layers": 2, "num_heads": 4, "d_ff": 128, "vocab_size": 500, "decoder_start_token_id": 0}),
}  # fmt: skip


def made(name: str) -> torch.nn.Module:
    model, config, values = MODELS[name]
    return getattr(transformers, model)(getattr(transformers, config)(**values))


def train(model: torch.nn.Module, ids: torch.Tensor, between: Callable[[], object] = lambda: None) -> None:
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(2):
        between()
        model(input_ids=ids, labels=ids).loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def infer(model: torch.nn.Module, ids: torch.Tensor) -> None:
    model.eval()
    with torch.no_grad():
        model(input_ids=ids, labels=ids)


def profiled_memory(profile: torch.profiler.profile) -> dict[str, int]:
    """Peak and end of the host's memory as the profiler's own trace has them."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        profile.export_chrome_trace(file.name)
        with open(file.name, encoding="utf-8", errors="replace") as text:
            events = json.load(text)["traceEvents"]
    memory = [event for event in events if event.get("name") == "[memory]" and event["args"]["Device Type"] == 0]
    now = peak = 0
    for event in sorted(memory, key=lambda event: event["args"]["Ev Idx"]):
        now += event["args"]["Bytes"]
        peak = max(peak, now)
    return {"peak": peak, "end": now, "events": len(memory)}


def run(name: str, what: str, late: bool, device: str, report: pathlib.Path, size: tuple[int, int]) -> dict[str, int]:
    """One model under a capture of ours and the profiler at once; what PyTorch counted."""
    torch.manual_seed(0)
    model = made(name).to(device) if late else None
    if device == "cuda":
        torch.cuda.init()
        torch.cuda.reset_peak_memory_stats()
    with (
        torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile,
        tilemeter.torch.capture(report, device=device),
    ):
        net = model if model is not None else made(name).to(device)
        ids = torch.randint(1, 500, size).to(device)
        (train if what == "train" else infer)(net, ids)
    if device == "cpu":
        return profiled_memory(profile)
    stats = torch.cuda.memory_stats()
    return {"peak": stats["requested_bytes.all.peak"], "end": stats["requested_bytes.all.current"]}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("device", choices=("cpu", "cuda"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("models", nargs="*", default=sorted(MODELS))
    options = parser.parse_args()
    torch.backends.cudnn.enabled = False
    for name in options.models:
        for what, late in (("train", False), ("infer", False), ("train", True)):
            if late and options.device == "cpu":  # nobody knows what the host's memory held before
                continue
            report = options.folder / f"{name}_{what}{'_late' * late}_{options.device}.json"
            said = run(name, what, late, options.device, report, (4, 32))
            print(json.dumps({"model": name, "what": what, "late": late, "report": str(report), **said}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
