"""A program that uses litellm as for any provider: the provider is a prefix of the model's name, and two environment
variables configure it. Prints the results as one line of JSON."""

import asyncio
import json

import litellm

MODEL = "openai/assay/tiny"
MESSAGES = [{"role": "user", "content": "hello"}]
SAME = {"model": MODEL, "messages": MESSAGES, "seed": 7, "max_tokens": 8}
ANIMAL = {
    "type": "object",
    "properties": {"animal": {"enum": ["cat", "owl"]}},
    "required": ["animal"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "look", "parameters": ANIMAL}}


def text(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def refused(**wish):
    try:
        litellm.completion(**{**SAME, **wish})
    except Exception as error:
        return {"kind": type(error).__name__, "status": getattr(error, "status_code", None)}
    return None


whole = litellm.completion(**SAME)
chunks = list(litellm.completion(**SAME, stream=True, stream_options={"include_usage": True}))
form = {"type": "json_schema", "json_schema": {"name": "animal", "schema": ANIMAL, "strict": True}}
formed = litellm.completion(**{**SAME, "max_tokens": 60}, response_format=form)
called = litellm.completion(**{**SAME, "max_tokens": 60}, tools=[TOOL], tool_choice="required")
[call] = called.choices[0].message.tool_calls
answered = litellm.responses(model=MODEL, input="hello", max_output_tokens=8)


async def later():
    return await litellm.acompletion(**SAME)


result = {
    "text": whole.choices[0].message.content,
    "reason": whole.choices[0].finish_reason,
    "usage": [whole.usage.prompt_tokens, whole.usage.completion_tokens],
    "streamed": text(chunks),
    "streamed_usage": [chunks[-1].usage.prompt_tokens, chunks[-1].usage.completion_tokens],
    "later": asyncio.run(later()).choices[0].message.content,
    "animal": json.loads(formed.choices[0].message.content),
    "call": [call.function.name, json.loads(call.function.arguments)],
    "response": answered.status,
    "refusals": [
        refused(model="openai/assay/none"),
        refused(temperature=9),
        refused(api_key="wrong"),
    ],
}
print("RESULT", json.dumps(result))
