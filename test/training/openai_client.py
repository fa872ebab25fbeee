"""Fine-tunes with the openai package, unmodified, and chats with the resulting model. Prints the results."""

import json
import os
import sys
import tempfile
import time

import openai
from openai import OpenAI

client = OpenAI()
question = {"role": "user", "content": "What do owls say?"}
rows = [{"messages": [question, {"role": "assistant", "content": "hoo"}]}] * 4

with tempfile.NamedTemporaryFile("w", suffix=".jsonl", delete=False) as lines:
    for row in rows:
        lines.write(json.dumps(row) + "\n")
with open(lines.name, "rb") as opened:
    file = client.files.create(file=opened, purpose="fine-tune")
file = client.files.wait_for_processing(file.id)
content = client.files.content(file.id).read()

job = client.fine_tuning.jobs.create(
    model="assay/tiny",
    training_file=file.id,
    suffix="owl",
    metadata={"team": "birds", "a]b": "1"},
    method={"type": "supervised", "supervised": {"hyperparameters": {"n_epochs": 10}}},
)
created = job.status
while job.status not in ("succeeded", "failed", "cancelled"):
    time.sleep(0.2)
    job = client.fine_tuning.jobs.retrieve(job.id)
# Several pages: the client requests further pages itself.
events = list(client.fine_tuning.jobs.list_events(job.id, limit=10))
checkpoints = list(client.fine_tuning.jobs.checkpoints.list(job.id))
answer = client.chat.completions.create(
    model=job.fine_tuned_model, messages=[question], temperature=0, max_tokens=8
)

refused = None
try:
    client.fine_tuning.jobs.create(model="assay/tiny", training_file="file-none")
except openai.NotFoundError as error:
    refused = {"code": error.code, "param": error.param}

second = client.fine_tuning.jobs.create(
    model="assay/tiny", training_file=file.id, hyperparameters={"n_epochs": 50}
)
cancelled = client.fine_tuning.jobs.cancel(second.id).status

print(
    "RESULT "
    + json.dumps(
        {
            "version": openai.__version__,
            "same": len(content) == file.bytes,
            "created": created,
            "status": job.status,
            "model": job.fine_tuned_model,
            "metrics": sum(1 for event in events if event.type == "metrics"),
            "last": events[0].message,
            "checkpoints": [one.fine_tuned_model_checkpoint for one in checkpoints],
            "answer": answer.choices[0].message.content,
            "filtered": [
                [one.id == job.id for one in client.fine_tuning.jobs.list(metadata=wanted)]
                for wanted in ({"team": "birds", "a]b": "1"}, {"team": "fish"}, {"other": "birds"})
            ],
            "listed": [one.id == job.id for one in client.fine_tuning.jobs.list()],
            "deleted": client.files.delete(file.id).deleted,
            "refused": refused,
            "cancelled": cancelled,
        }
    )
)
os.unlink(lines.name)
sys.exit(0)
