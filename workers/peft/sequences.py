"""From conversations to tokens: which tokens there are, and which of them are learned."""

from dataclasses import dataclass, replace

from jinja2.exceptions import TemplateError

NAN = float("nan")


class Refused(Exception):
    """The job cannot be done, now or later. The message is shown to the user."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True)
class Sequence:
    """Tokens; the positions that are learned; and for each of these the log-probability it was sampled with, if known."""

    tokens: list
    learned: list
    logprobs: list
    advantage: float = 0.0


def plain(message):
    """A message as chat templates read it: with text for content."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content if isinstance(part, dict))
    role = {"developer": "system", "function": "tool"}.get(message["role"], message["role"])
    return {**message, "role": role, "content": content or ""}


def template(tokenizer, messages, tools, prompt=False):
    """The tokens of a conversation; with `prompt`, up to where the assistant speaks next."""
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
        # Templates refuse conversations in words of their own: roles in another order, tools that they do not have.
        raise Refused("chat_template", f"the model's chat template: {str(error)[:200]}") from error


def turn(tokenizer, messages, tools, index):
    """Where the tokens of message `index` begin, and the tokens up to its end."""
    before = template(tokenizer, messages[:index], tools, prompt=True)
    after = template(tokenizer, messages[: index + 1], tools)
    if after[: len(before)] != before or len(after) == len(before):
        raise Refused("chat_template", "the model's chat template does not say where an assistant's turn begins")
    return len(before), after


def sft_sequence(tokenizer, row, turns="all"):
    """A conversation of which what assistants say, and the ends of their turns, is learned."""
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
    """One sequence for each sampled answer of the trajectory: what came before it, and its tokens, which are learned.

    Answers without log-probabilities are context; with `bare`, their text is learned.
    """
    found = []
    for history in [trajectory, *trajectory.get("additional_histories", [])]:
        messages, tools = [], history.get("tools")
        for item in history["messages_and_choices"]:
            if "message" not in item or "finish_reason" not in item:
                messages.append(item)
                continue
            said = (item.get("logprobs") or {}).get("content")
            if said:
                before = template(tokenizer, messages, tools, prompt=True)
                tokens = [token_id(tokenizer, one["token"]) for one in said]
                learned = list(range(len(before), len(before) + len(tokens)))
                found.append(Sequence(before + tokens, learned, [one["logprob"] for one in said]))
            messages.append({"role": "assistant", **item["message"]})
            if said is None and bare:
                begin, after = turn(tokenizer, messages, tools, len(messages) - 1)
                learned = list(range(begin, len(after)))
                found.append(Sequence(after, learned, [NAN] * len(learned)))
    return [replace(sequence, advantage=advantage) for sequence in found]


def token_id(tokenizer, token):
    """The number of a token, which is named `token_id:<n>` or by its text."""
    if token.startswith("token_id:") and token[9:].isascii() and token[9:].isdigit():
        number = int(token[9:])
        if number < len(tokenizer):
            return number
    else:
        numbers = tokenizer.encode(token, add_special_tokens=False)
        if len(numbers) == 1:
            return numbers[0]
    raise Refused("foreign_token", f"{token[:40]!r} is not a token of this model: ask for tokens as token_id:<n>")
