"""Converts conversations to tokens, and selects the tokens to learn."""

from dataclasses import dataclass, replace

from jinja2.exceptions import TemplateError

NAN = float("nan")


class Refused(Exception):
    """A permanent error of the job. The user sees the message."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True)
class Sequence:
    """Tokens, the positions to learn, and for each of these the log-probability at sampling time (NaN if unknown)."""

    tokens: list
    learned: list
    logprobs: list
    advantage: float = 0.0


def plain(message):
    """A message for a chat template, with its content as text."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content if isinstance(part, dict))
    role = {"developer": "system", "function": "tool"}.get(message["role"], message["role"])
    return {**message, "role": role, "content": content or ""}


def template(tokenizer, messages, tools, prompt=False):
    """The tokens of a conversation; with `prompt`, up to the start of the assistant's next turn."""
    if not messages:
        raise Refused("chat_template", "a conversation cannot begin with the assistant")
    try:
        return tokenizer.apply_chat_template(
            [plain(message) for message in messages],
            tools=tools or None,
            add_generation_prompt=prompt,
            tokenize=True,
            return_dict=False,
        )
    except TemplateError as error:
        # Templates raise their own errors, for example for an unexpected order of roles or for unsupported tools.
        raise Refused("chat_template", f"the model's chat template: {str(error)[:200]}") from error


def turn(tokenizer, messages, tools, index):
    """The position of the first token of message `index`, and all tokens up to the end of the message."""
    before = template(tokenizer, messages[:index], tools, prompt=True)
    after = template(tokenizer, messages[: index + 1], tools)
    if after[: len(before)] != before or len(after) == len(before):
        raise Refused("chat_template", "the model's chat template does not mark the start of an assistant's turn")
    return len(before), after


def sft_sequence(tokenizer, row, turns="all"):
    """The sequence of a conversation that learns the assistant's messages, including their end tokens."""
    messages, tools = row["messages"], row.get("tools")
    spoken = [i for i, message in enumerate(messages) if message["role"] == "assistant"]
    tokens = template(tokenizer, messages, tools)
    learned = []
    for index in spoken if turns == "all" else spoken[-1:]:
        begin, after = turn(tokenizer, messages, tools, index)
        if tokens[: len(after)] != after:
            raise Refused("chat_template", "the model's chat template changes earlier turns: use assistant_turns=last")
        learned += range(begin, len(after))
    return Sequence(tokens, learned, [NAN] * len(learned))


def rl_sequences(tokenizer, trajectory, advantage, bare):
    """One sequence for each sampled answer of the trajectory: the context, and the answer's tokens to learn.

    Answers without log-probabilities are only context; with `bare`, their tokens are learned too.
    """
    found = []
    for history in [trajectory, *trajectory.get("additional_histories", [])]:
        messages, tools = [], history.get("tools")
        for item in history["messages_and_choices"]:
            if "message" not in item or "finish_reason" not in item:
                messages.append(item)
                continue
            sampled = (item.get("logprobs") or {}).get("content")
            if sampled:
                before = template(tokenizer, messages, tools, prompt=True)
                tokens = [token_id(tokenizer, one["token"]) for one in sampled]
                learned = list(range(len(before), len(before) + len(tokens)))
                found.append(Sequence(before + tokens, learned, [one["logprob"] for one in sampled]))
            messages.append({"role": "assistant", **item["message"]})
            if sampled is None and bare:
                begin, after = turn(tokenizer, messages, tools, len(messages) - 1)
                learned = list(range(begin, len(after)))
                found.append(Sequence(after, learned, [NAN] * len(learned)))
    return [replace(sequence, advantage=advantage) for sequence in found]


def token_id(tokenizer, token):
    """The id of a token that is given as `token_id:<n>` or as text."""
    if token.startswith("token_id:") and token[9:].isascii() and token[9:].isdigit():
        number = int(token[9:])
        if number < len(tokenizer):
            return number
    else:
        numbers = tokenizer.encode(token, add_special_tokens=False)
        if len(numbers) == 1:
            return numbers[0]
    raise Refused("foreign_token", f"{token[:40]!r} is not a token of this model: return tokens as token_id:<n>")
