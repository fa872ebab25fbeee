"""Scores answers with the tiny model of workers/peft: `score.py [ADAPTER]`, with conversations as JSON on stdin.

For each `{"prompt", "answer"}` it prints the answer's tokens with their log-probabilities, as a sampler does.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "workers" / "peft"))

import torch
from models import tiny_base, tiny_tokenizer
from peft import PeftModel
from sequences import template

torch.set_num_threads(1)
tokenizer = tiny_tokenizer()
model = tiny_base(tokenizer)
if len(sys.argv) > 1:
    model = PeftModel.from_pretrained(model, sys.argv[1])
model.eval()
scored = []
for conversation in json.load(sys.stdin):
    before = template(tokenizer, [{"role": "user", "content": conversation["prompt"]}], None, prompt=True)
    answer = tokenizer.encode(conversation["answer"], add_special_tokens=False) + [tokenizer.eos_token_id]
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([before + answer])).logits[0]
    logprobs = torch.log_softmax(logits.float(), dim=-1)
    scored.append(
        [
            {"token": f"token_id:{token}", "logprob": float(logprobs[len(before) - 1 + i, token])}
            for i, token in enumerate(answer)
        ]
    )
json.dump(scored, sys.stdout)
