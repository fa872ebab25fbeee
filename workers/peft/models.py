"""The model to train: a base model with a LoRA adapter, new or from the parent checkpoint."""

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

TINY_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tiny_tokenizer():
    """A byte-level tokenizer with three special tokens, which needs no download."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<|pad|>",
        eos_token="<|im_end|>",
        additional_special_tokens=["<|im_start|>"],
    )
    fast.chat_template = TINY_TEMPLATE
    return fast


def tiny_base(tokenizer):
    """A transformer with about 100,000 random weights, always the same."""
    torch.manual_seed(0)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=4,
            max_position_embeddings=2048,
            # Larger than usual: the adapter does not train the last layer, which must produce confident predictions.
            initializer_range=0.1,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
        )
    )


def load(name, parent, *, tiny, rank, device, seed):
    """The tokenizer and the model `name`, with the adapter in the folder `parent` or a new one."""
    if tiny:
        tokenizer = tiny_tokenizer()
        base = tiny_base(tokenizer)
    else:
        tokenizer = AutoTokenizer.from_pretrained(name)
        base = AutoModelForCausalLM.from_pretrained(name, dtype="auto")
    base.config.use_cache = False
    torch.manual_seed(seed)
    if (parent / "adapter_config.json").exists():
        model = PeftModel.from_pretrained(base, parent, is_trainable=True)
    else:
        config = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM")
        model = get_peft_model(base, config)
    model.peft_config["default"].base_model_name_or_path = name
    return tokenizer, model.to(device).train()
