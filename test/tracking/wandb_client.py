# Typical user code: runs and artifacts with the wandb package, unmodified. wandb.interop.ts runs it.
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time

import wandb

result = {}

# A run with a configuration, metrics (one is NaN), a summary, and console output.
run = wandb.init(project="tracked", id="r1", name="first", config={"lr": 0.1, "deep": {"a": 1}}, resume="allow")
result["entity"] = run.entity
for step in range(10):
    run.log({"loss": 1 / (step + 1), "odd": float("nan") if step == 3 else step})
run.summary["best"] = 42
print("printed by the run")
run.finish()

run = wandb.init(project="tracked", id="r1", resume="must", config={"more": 2})
run.log({"loss": 0.01})
run.finish()

# The same id again without resuming: the run starts over, even if its configuration changes in between. Syncing an
# offline run twice stores it once.
for losses in ([100, 101, 102, 103], [200, 201]):
    run = wandb.init(project="tracked", id="again", reinit=True)
    for loss in losses:
        run.log({"loss": loss, f"only {losses[0]}": 1})
        run.config.update({"at": loss}, allow_val_change=True)
        time.sleep(0.3)
    run.finish()
offline = wandb.init(project="tracked", id="offline", mode="offline")
for loss in range(5):
    offline.log({"loss": loss})
folder = pathlib.Path(offline.dir).parent
offline.finish()
for _ in range(2):
    subprocess.run([sys.executable, "-m", "wandb", "sync", "--include-synced", str(folder)], check=True, capture_output=True)


def logged(name):
    seen = wandb.Api().run(f"tracked/{name}")
    losses = [row["loss"] for row in seen.scan_history()]
    return [losses, [row["loss"] for row in seen.history(pandas=False)], seen.lastHistoryStep, seen.summary["loss"]]


result["again"] = logged("again")
result["offline"] = logged("offline")

failed = wandb.init(project="tracked", id="r2")
failed.finish(exit_code=3)

api = wandb.Api()
seen = api.run("tracked/r1")
scanned = list(seen.scan_history())
result["run"] = {
    "name": seen.name,
    "state": seen.state,
    "config": dict(seen.config),
    "best": seen.summary["best"],
    "steps": [row["_step"] for row in scanned],
    "odd": str(scanned[3]["odd"]),
    "last": seen.lastHistoryStep,
    "keyed": len(list(seen.scan_history(keys=["odd"]))),
    "page": [row["_step"] for row in seen.scan_history(min_step=2, max_step=5)],
    "history": len(seen.history(pandas=False)),
    "sampled": len(seen.history(samples=4, keys=["loss"], pandas=False)),
    "files": sorted(file.name for file in seen.files()),
}
seen.file("output.log").download(root="downloaded", replace=True)
result["printed"] = pathlib.Path("downloaded/output.log").read_text()
# The client's own check of a server. It also requires HTTPS, sweeps, and an entity with the user's name.
verify = subprocess.run([sys.executable, "-m", "wandb", "verify", "--host", os.environ["WANDB_BASE_URL"]], capture_output=True, text=True)
passed = [line for line in verify.stdout.splitlines() if line.endswith("✅")]
checks = ["logged in", "signed URL upload", "logged metrics", "artifact save and download"]
result["verified"] = [one for one in checks if any(one in line for line in passed)]
result["projects"] = [one.name for one in api.projects("default")]
seen.config["edited"] = True
seen.update()
result["edited"] = [api.run("tracked/r1").config["edited"], api.run("tracked/r1").state]
result["runs"] = {one.id: one.state for one in api.runs("tracked")}


def listed(**choice):
    return [one.id for one in api.runs("tracked", per_page=1, **choice)]


result["chosen"] = [
    listed(filters={"config.lr": 0.1, "displayName": {"$regex": "^fir.*"}}),
    listed(filters={"summary_metrics.loss": {"$gte": 4}}, order="-summary_metrics.loss"),
    len(api.runs("tracked", filters={"state": {"$ne": "finished"}})),
    [file.name for file in seen.files(pattern="%.yaml")],
    [line.content for line in seen.console_logs(per_page=1) if line.timestamp][:1],
]

# Uploads and downloads artifacts, with aliases.
folder = pathlib.Path("up")
(folder / "sub").mkdir(parents=True, exist_ok=True)
(folder / "a.txt").write_text("alpha")
(folder / "sub" / "b ü.txt").write_text("beta")
(folder / "large.bin").write_bytes(os.urandom(10_000_000))


def log_folder(run, **kwargs):
    artifact = wandb.Artifact("data", type="dataset", metadata={"k": 1})
    artifact.add_dir(str(folder))
    return run.log_artifact(artifact, **kwargs).wait()


run = wandb.init(project="tracked", id="r3")
first = log_folder(run, aliases=["best"])
same = log_folder(run, aliases=["again"])
(folder / "a.txt").write_text("changed")
second = log_folder(run)
result["logged"] = [first.version, same.version, second.version, sorted(same.aliases), second.aliases]
run.finish()

run = wandb.init(project="tracked", id="r4")
used = run.use_artifact("data:best")
down = pathlib.Path(used.download(root="down"))
result["down"] = sorted(str(path.relative_to(down)) for path in down.rglob("*") if path.is_file())
result["same bytes"] = (down / "large.bin").read_bytes() == (folder / "large.bin").read_bytes()
result["alpha"] = (down / "a.txt").read_text()
draft = used.new_draft()
draft.add_file(str(folder / "a.txt"), name="new.txt")
draft = run.log_artifact(draft).wait()
result["draft"] = [draft.version, sorted(draft.manifest.entries)]
run.finish()

latest = api.artifact("tracked/data:latest", type="dataset")
latest.aliases.append("mine")
latest.metadata["more"] = 3
latest.save()
mine = api.artifact("tracked/data:mine")
result["mine"] = [mine.version, sorted(mine.aliases), mine.metadata, mine.logged_by().id]
result["versions"] = [one.version for one in api.artifacts("dataset", "tracked/data")]
result["collections"] = [one.name for one in api.artifact_type("dataset", "tracked").collections()]
result["by run"] = [one.name for one in api.run("tracked/r3").logged_artifacts()]
result["used"] = [one.name for one in api.run("tracked/r4").used_artifacts()]


def refusal(act):
    try:
        act()
    except Exception as error:
        return str(error)
    return None


result["refused"] = {
    "missing": refusal(lambda: api.artifact("tracked/nothing:latest")),
    "aliased": refusal(lambda: api.artifact("tracked/data:v0").delete()),
    "sweep": refusal(lambda: wandb.sweep({"method": "grid", "parameters": {"a": {"values": [1]}}}, project="tracked")),
    "agent": refusal(lambda: wandb.agent("abc123", function=print, project="tracked")),
    "link": refusal(lambda: api.artifact("tracked/data:v0").link("wandb-registry-model/x")),
    "reports": refusal(lambda: list(api.reports("default/tracked"))),
    "field": refusal(lambda: listed(filters={"host": "h"})),
    "foreign": refusal(lambda: api.run("others/tracked/r1").state),
}

# Supported options change the stored data; unsupported ones are refused.
run = wandb.init(project="tracked", id="r5", tags=["a"])
run.log({"loss": {"train": 0.5}})
labelled = wandb.Artifact("labelled", type="dataset")
labelled.add_file(str(folder / "a.txt"))
run.log_artifact(labelled, tags=["gold"]).wait()
run.finish()


def log_for_a_day():
    run = wandb.init(project="tracked", id="r6")
    artifact = wandb.Artifact("short", type="dataset")
    artifact.ttl = datetime.timedelta(days=1)
    try:
        run.log_artifact(artifact).wait()
    finally:
        run.finish()


api = wandb.Api()
tagged = api.run("tracked/r5")
tagged.tags = []
tagged.update()
result["options"] = {
    "tags": wandb.Api().run("tracked/r5").tags,
    "nested": tagged.history(keys=["loss.train"], pandas=False),
    "artifact tags": api.artifact("tracked/labelled:v0").tags,
    "step": api.artifact("tracked/labelled:v0").history_step,
    "used by": [one.id for one in api.artifact("tracked/data:v0").used_by()],
    "project": api.project("tracked", "default").name,
    "fork": refusal(lambda: wandb.init(project="tracked", id="r7", fork_from="r1?_step=1")),
    "shared": refusal(lambda: wandb.init(project="tracked", id="r8", mode="shared")),
    "ttl": refusal(log_for_a_day),
    "order": refusal(lambda: list(api.artifacts("dataset", "tracked/data", order="+versionIndex"))),
}
seen.file("output.log").delete()
result["deleted"] = [file.name for file in api.run("tracked/r1").files(names=["output.log", "config.yaml"])]
api.run("tracked/r5").delete(delete_artifacts=True)
api.run("tracked/r6").delete()
result["deleted with r5"] = api.artifact_exists("tracked/labelled:v0")
api.artifact("tracked/data:v0").delete(delete_aliases=True)
api.run("tracked/r2").delete()
result["left"] = [
    [one.version for one in api.artifacts("dataset", "tracked/data")],
    sorted(one.id for one in wandb.Api().runs("tracked", per_page=2)),
]
print("RESULT " + json.dumps(result))
