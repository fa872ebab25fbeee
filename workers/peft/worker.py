"""Trains one job: supervised fine-tuning or reinforcement learning of a LoRA adapter, with torch, transformers, peft.

Started by a parent process, it finds the folder of its run in ASSAY_WORK_DIR and writes messages to file descriptor 3.
Started anywhere else, it finds the address of its run in ASSAY_RUN_URL and sends the same messages there.
"""

import argparse
import hashlib
import os
import sys
import tempfile
import traceback
from pathlib import Path

from channel import Http, Pipe, beat, finite


def arguments():
    parser = argparse.ArgumentParser(description="Trains one job.")
    parser.add_argument("--tiny", action="store_true", help="train a tiny random model, whatever the base model is called")
    parser.add_argument("--rank", type=int, default=8, help="rank of new adapters (8)")
    parser.add_argument("--device", help="cpu, cuda…; a GPU when there is one")
    parser.add_argument("--threads", type=int, help="threads of torch on the CPU")
    return parser.parse_args()


def train(channel, options):
    """Trains the task of the channel and says how it goes. Refusals are raised."""
    # Only now: they take seconds to load, and the worker is alive meanwhile.
    import torch

    import models
    import training

    if options.threads:
        torch.set_num_threads(options.threads)
    task, folder = channel.task, channel.folder
    spec, config = task["spec"], task["spec"]["config"]
    # The same job run again does the same updates: it can go on when its worker was lost.
    seed = config.get("seed") or int.from_bytes(hashlib.sha256(task["job_id"].encode()).digest()[:4])
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    tokenizer, model = models.load(
        task["model"]["base_model"], folder / "parent", tiny=options.tiny, rank=options.rank, device=device, seed=seed
    )
    if spec["kind"] == "sft":
        plan, about, loss = training.plan_sft(tokenizer, folder, config, seed), {}, training.sft_loss
    else:
        loss = training.rl_loss(training.policy_config(config))
        plan, about = training.plan_rl(tokenizer, spec["trajectory_groups"], config, seed)
    channel.say({"type": "started", "num_sequences": len(plan), "resumable": True})
    for step, metrics in enumerate(training.run(model, plan, loss, about), start=1):
        channel.say({"type": "step", "step": step, "metrics": finite(metrics)})
    files = []
    if plan:
        output = folder / "output"
        # Only the adapter: embeddings are not trained, and to look whether they were would ask the network.
        model.save_pretrained(output, save_embedding_layers=False)
        files = [channel.leave(output / name) for name in ("adapter_config.json", "adapter_model.safetensors")]
    channel.say({"type": "done", "files": files})


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="assay-run-") as scratch:
        url = os.environ.get("ASSAY_RUN_URL")
        channel = Http(url, scratch) if url else Pipe(os.environ["ASSAY_WORK_DIR"])
        beat(channel)
        from sequences import Refused

        try:
            train(channel, options)
        except Refused as refused:
            channel.say({"type": "failed", "code": refused.code, "message": refused.message})
        except Exception as error:  # Whatever it is, the job ends with a reason; the stack is for the log.
            traceback.print_exc()
            name = type(error).__name__
            code = "out_of_memory" if name in ("OutOfMemoryError", "MemoryError") else "trainer_failed"
            channel.say({"type": "failed", "code": code, "message": f"the worker broke off with {name}"})
            sys.exit(1)


if __name__ == "__main__":
    main()
