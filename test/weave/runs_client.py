# A program that logs an evaluation without the SDK, through the generated API client in the weave package, unmodified.
# evaluation-runs.interop.ts runs it.
import json
import os

from weave.vendor.weave_server_sdk import Client

client = Client(base_url=os.environ["ASSAY_URL"], username="api", password=os.environ["ASSAY_API_KEY"])
P = {"entity": "acme", "project": "demo"}

ROWS = [{"question": "2+2", "answer": 4}, {"question": "3+4", "answer": 7}]
dataset = client.v2_datasets.create(name="sums", rows=ROWS, **P)
scorer = client.v2_scorers.create(name="exact", op_source_code="def score(output, answer): ...", **P)
evaluation = client.v2_evaluations.create(
    name="sums",
    dataset=f"weave:///acme/demo/object/{dataset.object_id}:{dataset.digest}",
    scorers=[scorer.scorer],
    **P,
)


def run(name, answers):
    model = client.v2_models.create(name=name, source_code="class Adder: ...", **P)
    run = client.v2_evaluation_runs.create(evaluation=evaluation.evaluation_ref, model=model.model_ref, **P)
    for row, answer in zip(ROWS, answers):
        prediction = client.v2_predictions.create(
            model=model.model_ref, inputs=row, output=answer, evaluation_run_id=run.evaluation_run_id, **P
        )
        client.v2_scores.create(
            prediction_id=prediction.prediction_id,
            scorer=scorer.scorer,
            value=answer == row["answer"],
            evaluation_run_id=run.evaluation_run_id,
            **P,
        )
        client.v2_predictions.finish(prediction.prediction_id, **P)
    client.v2_evaluation_runs.finish(run.evaluation_run_id, summary={"note": name}, **P)
    return run.evaluation_run_id


runs = [run("small", [4, 8]), run("large", [4, 7])]
read = client.v2_evaluation_runs.read(runs[1], **P)
listed = list(client.v2_evaluation_runs.list(**P))
scores = list(client.v2_scores.list(evaluation_run_id=runs[0], limit=10, **P))
predictions = list(client.v2_predictions.list(evaluation_run_id=runs[0], **P))
kept = client.v2_datasets.read(dataset.digest, object_id=dataset.object_id, **P)
extra = client.v2_evaluation_runs.create(evaluation="other", model="other", **P)
deleted = client.v2_evaluation_runs.delete(evaluation_run_ids=[extra.evaluation_run_id], **P)
print(
    "RESULT "
    + json.dumps(
        {
            "runs": runs,
            "status": read.status,
            "summary": read.summary["note"],
            "listed": [one.evaluation_run_id for one in listed],
            "scores": [one.value for one in scores],
            "outputs": [one.output for one in predictions],
            "versions": [one.version_index for one in client.v2_models.list(**P)],
            "rows": kept.rows.startswith("weave:///acme/demo/table/"),
            "deleted": deleted.num_deleted,
        }
    )
)
