"""Creates a small language model with random weights and a token for each ASCII character, in the given folder.

Downloads nothing. Tokens are whole characters, because a stream that ends in a partial character never sends it.
"""

import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

folder = sys.argv[1]
torch.manual_seed(0)

special = ["<pad>", "<eos>", "<user>", "<assistant>", "<system>"]
alphabet = [*map(chr, range(33, 127)), "Ġ"]
tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(special + alphabet)}, merges=[]))
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
fast = PreTrainedTokenizerFast(
    tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", additional_special_tokens=special[2:]
)
fast.chat_template = (
    "{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
fast.save_pretrained(folder)

config = LlamaConfig(
    vocab_size=len(fast),
    hidden_size=64,
    intermediate_size=128,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=4,
    max_position_embeddings=512,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=1,
)
LlamaForCausalLM(config).save_pretrained(folder)
print("made", len(fast))
