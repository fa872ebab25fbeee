"""A program that uses the openai package, configured by environment variables. Prints RESULT and JSON."""

import json

import openai

# OPENAI_BASE_URL and OPENAI_API_KEY have the address and the key.
client = openai.OpenAI(project="team/demo", max_retries=0)
ask = {"model": "assay/tiny", "messages": [{"role": "user", "content": "hello"}], "seed": 5, "max_tokens": 60}
result = {"models": [model.id for model in client.models.list()]}

whole = client.chat.completions.create(**ask, logprobs=True, top_logprobs=2, n=2)
result["whole"] = {
    "texts": [choice.message.content for choice in whole.choices],
    "roles": [choice.message.role for choice in whole.choices],
    "reasons": [choice.finish_reason for choice in whole.choices],
    "tokens": [len(choice.logprobs.content) for choice in whole.choices],
    "top": [len(choice.logprobs.content[0].top_logprobs) for choice in whole.choices],
    "usage": whole.usage.model_dump(include={"prompt_tokens", "completion_tokens", "total_tokens"}),
}

chunks = list(client.chat.completions.create(**ask, stream=True, stream_options={"include_usage": True}))
result["chunks"] = {
    "text": "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices),
    "reasons": [c.choices[0].finish_reason for c in chunks if c.choices and c.choices[0].finish_reason],
    "usage": chunks[-1].usage.completion_tokens,
}

with client.chat.completions.stream(**ask) as stream:
    for _ in stream:
        pass
    result["helper"] = stream.get_final_completion().choices[0].message.content


def refusal(act):
    try:
        act()
    except openai.APIStatusError as error:
        return {"kind": type(error).__name__, "status": error.status_code, "message": error.body["message"]}
    return None


result["refusals"] = [
    refusal(lambda: client.chat.completions.create(**{**ask, "model": "nobody"})),
    refusal(lambda: client.chat.completions.create(**{**ask, "temperature": 7})),
    refusal(lambda: client.with_options(api_key="wrong").models.list()),
    refusal(lambda: client.with_options(project="other/demo").chat.completions.create(**ask)),
]

# Disconnects in the middle of an answer.
with client.chat.completions.create(**{**ask, "max_tokens": 4000, "n": 50}, stream=True) as stream:
    next(iter(stream))

print("RESULT", json.dumps(result))
