# Typical user code: evaluations with the weave package, unmodified. python-client.interop.ts runs it.
import asyncio
import json
import sys

import weave

client = weave.init("acme/demo")

ROWS = [
    {"country": "France", "capital": "Paris", "population": 68.5},
    {"country": "Perú", "capital": "Lima", "tags": ["süd", "☃"]},
    {"country": "Japan", "capital": "Tokyo", "small": 1e-7},
]
dataset = weave.Dataset(name="capitals", rows=ROWS)

ANSWERS = {"France": "Paris", "Perú": "Quito"}


paused = False


class Atlas(weave.Model):
    edition: int

    @weave.op
    def predict(self, country: str) -> dict:
        global paused
        # Pauses in the first trial of the second row, until a line arrives on standard input.
        if country == "Perú" and not paused:
            paused = True
            print("PAUSED", flush=True)
            sys.stdin.readline()
        if country == "Japan":
            raise ValueError("the model broke")
        return {"text": ANSWERS[country], "length": len(ANSWERS[country])}


@weave.op
def exact(capital: str, output: dict) -> bool:
    return output["text"] == capital


@weave.op
def details(output: dict) -> dict:
    return {"shape": {"length": output["length"], "long": output["length"] > 4}, "note": "ok"}


@weave.op
def broken(country: str, output: dict) -> bool:
    # In this client, a failing scorer fails the whole trial.
    if country == "Perú":
        raise RuntimeError("the scorer broke")
    return True


@weave.op
def verdict(output: dict) -> str:
    return f"it says {output['text']}"


evaluation = weave.Evaluation(
    name="capitals-evaluation", dataset=dataset, scorers=[exact, details, broken, verdict], trials=2
)
summary = asyncio.run(evaluation.evaluate(Atlas(name="atlas", edition=3)))

logger = weave.EvaluationLogger(name="by-hand", model="hand", dataset="streamed")
for i, row in enumerate(ROWS):
    prediction = logger.log_prediction(
        inputs={"country": row["country"], "i": i}, output={"text": row["capital"]}
    )
    prediction.log_score("exact", i > 0)
    prediction.log_score(
        "quality", {"length": len(row["capital"]), "letters": {"first": row["capital"][0]}}
    )
    prediction.finish()
logger.log_summary({"note": "done"})
client.flush()

roots = list(client.get_calls(filter={"trace_roots_only": True}))
objects = list(client.server.evaluation_list({"project_id": "acme/demo"}))
read = weave.ref("capitals:latest").get()
first = read.rows[0]
roots[0].feedback.add_note("seen")
client.flush()

# Data that calls can include: feedback, referenced values, costs.
asked = list(client.get_calls(filter={"call_ids": [roots[0].id]}, include_feedback=True))[0]
through = {"$expr": {"$eq": [{"$getField": "inputs.example.country"}, {"$literal": "Japan"}]}}
japan = list(client.get_calls(query=through, expand_columns=["inputs.example"]))
plain = list(client.get_calls(query=through))


@weave.op
def paid() -> str:
    call = weave.require_current_call()
    call.summary["usage"] = {"gpt-x": {"prompt_tokens": 1000, "completion_tokens": 10, "requests": 1}}
    return "done"


paid()
client.flush()
created = client.add_cost("gpt-x", prompt_token_cost=0.5e-6, completion_token_cost=2e-6)
client.add_cost("gpt-y", prompt_token_cost=1, completion_token_cost=1)
priced = list(client.get_calls(query={"$expr": {"$contains": {"input": {"$getField": "op_name"}, "substr": {"$literal": "/paid:"}}}}, include_costs=True))
known = client.query_costs(llm_ids=["gpt-x"])
client.purge_costs([created.ids[0][1]])
left = [cost.llm_id for cost in client.query_costs()]
print(
    "RESULT "
    + json.dumps(
        {
            "roots": [call.id for call in roots],
            "statuses": [call.summary["weave"]["status"] for call in roots],
            "objects": [
                [one.name, one.trials, len(one.scorers), one.dataset.rsplit(":", 1)[0], one.evaluate_op is not None]
                for one in objects
                if one.object_id == "capitals-evaluation"
            ],
            "notes": [one.payload["note"] for one in roots[0].feedback],
            "asked": [one["payload"]["note"] for one in asked.summary["weave"]["feedback"]],
            "through": [sorted({call.inputs["example"]["country"] for call in japan}), len(japan) - len(plain)],
            "priced": [
                priced[0].summary["weave"]["costs"]["gpt-x"][name]
                for name in ("prompt_tokens_total_cost", "completion_tokens_total_cost", "pricing_level")
            ],
            "known": [[cost.llm_id, cost.id == created.ids[0][1]] for cost in known],
            "left": left,
            "trials": sum("predict_and_score" in call.op_name for call in roots[0].children()),
            "first": {"country": str(first["country"]), "population": float(first["population"])},
        }
    )
)
