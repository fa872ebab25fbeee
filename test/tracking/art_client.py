# Typical user code: openpipe-art, unmodified, with W&B online. art.interop.ts runs it.
import asyncio
import json
import os
import pathlib

import art
import wandb
from art.serverless.backend import ServerlessBackend
from art.types import TrainSFTConfig

URL = os.environ["WANDB_BASE_URL"]
KEY = os.environ["WANDB_API_KEY"]
WORDS = ["low", "mid", "high"]
QUESTIONS = [str(digit) for digit in range(9)]


def conversation(question: str, word: str) -> art.Trajectory:
    messages = [{"role": "user", "content": question}, {"role": "assistant", "content": word}]
    return art.Trajectory(messages_and_choices=messages, reward=0.0)


def trainable(name: str) -> art.TrainableModel:
    # Since 0.5.23 a model takes the name of its run; earlier versions reject it.
    run = {"run_name": name} if "run_name" in art.TrainableModel.model_fields else {}
    return art.TrainableModel(name=name, project="art", base_model="assay/tiny", **run)


async def try_once(model: art.TrainableModel, question: str, seed: int) -> art.Trajectory:
    messages = [{"role": "user", "content": question}]
    completion = await model.openai_client().chat.completions.create(
        model=model.get_inference_name(), messages=messages, max_tokens=8, logprobs=True, seed=seed
    )
    choice = completion.choices[0]
    reward = 1.0 if choice.message.content == WORDS[int(question) // 3] else 0.0
    return art.Trajectory(messages_and_choices=[*messages, choice], reward=reward, metrics={"length": 1}).finish()


async def answer(model: art.TrainableModel, step: int | None = None) -> str | None:
    completion = await model.openai_client().chat.completions.create(
        model=model.get_inference_name(step=step),
        messages=[{"role": "user", "content": "0"}],
        max_tokens=8,
        temperature=0,
        seed=1,
    )
    return completion.choices[0].message.content


def files_of(folder: str) -> list[str]:
    return sorted(path.name for path in pathlib.Path(folder).iterdir())


async def main() -> None:
    result: dict = {}
    backend = ServerlessBackend(api_key=KEY, base_url=f"{URL}/v1")
    model = trainable("guesser")
    await model.register(backend)
    result["entity"] = model.entity

    # Supervised: the client uploads the data as an artifact and passes its address to the job.
    rows = [conversation(question, word) for question in QUESTIONS for word in WORDS for _ in range(20)]
    await model.train_sft(rows, config=TrainSFTConfig(batch_size=27), _config={"epochs": 2})
    result["after sft"] = await model.get_step()

    # Reinforcement learning, with logging.
    for round_ in range(2):
        groups = [
            art.TrajectoryGroup([await try_once(model, question, round_ * 1000 + at * 20 + i) for i in range(6)])
            for at, question in enumerate(QUESTIONS)
        ]
        await model.log(groups, split="train")
        trained = await backend.train(model, groups)
        await model.log(metrics=trained.metrics, step=trained.step, split="train")
    result["after rl"] = await model.get_step()

    pulled = await backend._experimental_pull_model_checkpoint(model, step="latest", local_path="pulled")
    result["pulled"] = files_of(pulled)
    first = await backend._experimental_pull_model_checkpoint(model, step=1, local_path="first")
    result["other bytes"] = any(
        (pathlib.Path(first) / name).read_bytes() != (pathlib.Path(pulled) / name).read_bytes()
        for name in result["pulled"]
    )

    fork = trainable("forked")
    await fork.register(backend)
    result["before fork"] = await fork.get_step()
    await backend._experimental_fork_checkpoint(fork, from_model="guesser")
    result["forked"] = await fork.get_step()
    result["same answer"] = await answer(fork) == await answer(model)

    # Uploads an adapter from files, under a name without a model.
    own = wandb.init(project="art", name="upload")
    artifact = wandb.Artifact("own", type="lora", metadata={"wandb.base_model": "assay/tiny"})
    artifact.add_dir(pulled)
    own.log_artifact(artifact).wait()
    own.finish()
    named = await model.openai_client().chat.completions.create(
        model="wandb-artifact:///default/art/own", messages=[{"role": "user", "content": "0"}], max_tokens=8,
        temperature=0, seed=1,
    )
    result["own answer"] = named.choices[0].message.content == await answer(model)

    for run in (model._wandb_run, fork._wandb_run):
        if run is not None:
            run.finish()
    api = wandb.Api()
    run = api.run("default/art/guesser")
    history = list(run.scan_history())
    result["run"] = {
        "state": run.state,
        "rows": len(history),
        "rewarded": any("train/reward" in row for row in history),
    }
    result["provenance"] = [
        version.metadata.get("wandb.provenance") for version in api.artifacts("lora", "default/art/guesser")
    ]
    result["versions"] = [
        sorted(alias for alias in version.aliases) for version in api.artifacts("lora", "default/art/guesser")
    ]
    result["data"] = [one.name.split("-sft-data-")[0] for one in api.artifact_type("dataset", "default/art").collections()]

    await backend._delete_checkpoint_files(model, steps_to_keep=[2])
    result["kept"] = [sorted(one.aliases) for one in wandb.Api().artifacts("lora", "default/art/guesser")]
    await backend.delete(model)
    try:
        wandb.Api().run("default/art/guesser").state
        result["run left"] = True
    except Exception:
        result["run left"] = False
    await backend.close()
    print("RESULT " + json.dumps(result))


asyncio.run(main())
