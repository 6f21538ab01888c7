"""Serves a small language model with random weights by llama.cpp's server, from the package xllamacpp: python3 llama_server.py FOLDER CONTEXT TOKENS

The vocabulary is the bytes, so that a text has one token for each byte, and the answers are noise, of TOKENS at most. The first line of output is the address. With
--check it says what is missing.
"""

import os
import pathlib
import sys
import time

try:
    import gguf
    import numpy
    import xllamacpp
except ImportError as error:
    sys.exit(f"llama.cpp's server is not installed for this python3 (pip install xllamacpp gguf): {error}")

EMBEDDING, FEED_FORWARD, LAYERS, TRAINED_CONTEXT = 64, 128, 2, 8192


def write_model(path: pathlib.Path):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(TRAINED_CONTEXT)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(4)
    writer.add_head_count_kv(4)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(EMBEDDING // 4)
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list([token.encode() for token in tokens])
    writer.add_token_scores([0.0] * len(tokens))
    # Unknown, control, bytes.
    writer.add_token_types([2, 3, 3] + [6] * 256)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:")
    random = numpy.random.default_rng(1)

    def add(name: str, *shape: int):
        writer.add_tensor(name, (random.standard_normal(shape) * 0.05).astype(numpy.float32))

    def add_ones(name: str):
        writer.add_tensor(name, numpy.ones(EMBEDDING, numpy.float32))

    add("token_embd.weight", len(tokens), EMBEDDING)
    add("output.weight", len(tokens), EMBEDDING)
    add_ones("output_norm.weight")
    for layer in range(LAYERS):
        add_ones(f"blk.{layer}.attn_norm.weight")
        add_ones(f"blk.{layer}.ffn_norm.weight")
        for name in ["attn_q", "attn_k", "attn_v", "attn_output"]:
            add(f"blk.{layer}.{name}.weight", EMBEDDING, EMBEDDING)
        add(f"blk.{layer}.ffn_gate.weight", FEED_FORWARD, EMBEDDING)
        add(f"blk.{layer}.ffn_up.weight", FEED_FORWARD, EMBEDDING)
        add(f"blk.{layer}.ffn_down.weight", EMBEDDING, FEED_FORWARD)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if sys.argv[1] == "--check":
    sys.exit()
folder, context, tokens = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
model = folder / "bytes.gguf"
if not model.exists():
    write_model(model)
parameters = xllamacpp.CommonParams()
parameters.model.path = str(model)
(parameters.n_ctx, parameters.n_parallel, parameters.n_predict, parameters.port) = (context, 1, tokens, 0)
(parameters.endpoint_slots, parameters.warmup) = (True, False)
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
while os.getppid() > 1:
    time.sleep(0.5)
