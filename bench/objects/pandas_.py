# The answers of answers.mjs and the same query, with pandas.

import json

import pandas

MODELS = ["small", "medium", "large"]


def answers():
    state = 2463534242
    mask = 0xFFFFFFFF

    def following():
        nonlocal state
        state ^= (state << 13) & mask
        state ^= state >> 17
        state ^= (state << 5) & mask
        return state / 4294967296

    return [
        {
            "model": model,
            "question": f"question {q}: how much is {q * 7} and {q % 97}?",
            "answer": str(q * 7 + q % 97),
            "quality": following(),
            "correct": following() < 0.6,
        }
        for q in range(10_000)
        for model in MODELS
    ]


table = pandas.DataFrame(answers())
quality = table.groupby("question")["quality"]
spread = (quality.max() - quality.min()).sort_values(ascending=False)
rates = table.groupby("model")["correct"].mean()
print(json.dumps({"rows": list(spread.index[:20]), "rates": [float(rates[model]) for model in MODELS]}))
