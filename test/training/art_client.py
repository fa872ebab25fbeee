# Typical user code: reinforcement learning with openpipe-art, unmodified. openpipe-art.interop.ts runs it.
import asyncio
import json
import os
import time
import urllib.request

import art
from art.serverless.backend import ServerlessBackend

URL = os.environ["ASSAY_URL"]
WORDS = ["low", "mid", "high"]
QUESTIONS = [str(digit) for digit in range(9)]


def right_word(question: str) -> str:
    return WORDS[int(question) // 3]


def ask(method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> dict:
    request = urllib.request.Request(f"{URL}/v1/preview{path}", body, {"Content-Type": kind}, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def learn_to_speak(model: art.TrainableModel) -> None:
    """Fine-tunes on all words for all questions over plain HTTP: the client would need W&B's artifacts for it."""
    rows = [
        {"messages": [{"role": "user", "content": question}, {"role": "assistant", "content": word}]}
        for question in QUESTIONS
        for word in WORDS
    ]
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    uploaded = ask("POST", "/training-data", lines, "application/x-ndjson")
    wish = {
        "model_id": model.id,
        "training_data_url": uploaded["training_data_url"],
        "config": {"batch_size": 27},
        "experimental_config": {"epochs": 25},
    }
    job = ask("POST", "/sft-training-jobs", json.dumps(wish).encode())
    while job["status"] not in ("succeeded", "failed", "cancelled"):
        time.sleep(0.2)
        job = ask("GET", f"/training-jobs/{job['id']}")
    assert job["status"] == "succeeded", job


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
    reward = 1.0 if choice.message.content == right_word(question) else 0.0
    return art.Trajectory(messages_and_choices=[*messages, choice], reward=reward, metrics={"length": 1}).finish()


async def roll_out(model: art.TrainableModel, round_: int) -> list[art.TrajectoryGroup]:
    return [
        art.TrajectoryGroup([await try_once(model, question, round_ * 1000 + at * 20 + i) for i in range(10)])
        for at, question in enumerate(QUESTIONS)
    ]


def mean_reward(groups: list[art.TrajectoryGroup]) -> float:
    rewards = [trajectory.reward for group in groups for trajectory in group.trajectories]
    return sum(rewards) / len(rewards)


async def main() -> None:
    backend = ServerlessBackend(api_key="any", base_url=f"{URL}/v1")
    model = trainable("guesser")
    await model.register(backend)
    again = trainable("guesser")
    await again.register(backend)
    assert model.id is not None and again.id == model.id
    before = await model.get_step()
    learn_to_speak(model)

    steps, rewards, gradients = [], [], []
    for round_ in range(int(os.environ.get("ROUNDS", "2"))):
        groups = await roll_out(model, round_)
        rewards.append(mean_reward(groups))
        await model.log(groups, split="train")
        await backend._client.models.log(model_id=model.id, trajectory_groups=groups, split="train")
        result = await backend.train(model, groups)
        steps.append(result.step)
        gradients.append(result.metrics["data/step_num_gradient_steps"])
        await model.log(metrics=result.metrics, step=result.step, split="train")
    rewards.append(mean_reward(await roll_out(model, 99)))

    listed = [one.step async for one in backend._client.models.checkpoints.list(model_id=model.id, limit=2)]
    first = await model.openai_client().chat.completions.create(
        model=model.get_inference_name(step=1), messages=[{"role": "user", "content": "0"}], max_tokens=8, seed=1
    )
    await backend._delete_checkpoint_files(model, steps_to_keep=[listed[-1]])
    kept = [one.step async for one in backend._client.models.checkpoints.list(model_id=model.id)]
    latest = await model.get_step()

    # Data that cannot be trained on is refused immediately, with an error.
    plain = {"role": "assistant", "content": "low"}
    refused = None
    try:
        bare = [art.Trajectory(messages_and_choices=[plain], reward=float(reward)) for reward in range(2)]
        await backend.train(model, [art.TrajectoryGroup(bare)])
    except Exception as error:
        refused = str(error)
    await backend.delete(model)
    await backend.close()
    print(
        "RESULT "
        + json.dumps(
            {
                "entity": model.entity,
                "before": before,
                "steps": steps,
                "rewards": rewards,
                "gradients": gradients,
                "listed": listed,
                "first": first.choices[0].message.content,
                "kept": kept,
                "latest": latest,
                "refused": refused,
            }
        )
    )


asyncio.run(main())
