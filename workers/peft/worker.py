"""Trains one job: supervised fine-tuning or reinforcement learning of a LoRA adapter, with torch, transformers, peft.

A parent process passes the folder of the run in ASSAY_WORK_DIR and reads messages from file descriptor 3. Without a
parent process, ASSAY_RUN_URL has the address of the run, and the worker sends the same messages there.
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
    parser.add_argument("--tiny", action="store_true", help="train a tiny random model in place of the base model")
    parser.add_argument("--rank", type=int, default=8, help="rank of new adapters (default 8)")
    parser.add_argument("--device", help="cpu, cuda…; default: a GPU if available")
    parser.add_argument("--threads", type=int, help="threads of torch on the CPU")
    return parser.parse_args()


def train(channel, options):
    """Trains the task of the channel and reports progress. Raises `Refused` for invalid tasks."""
    # Imported here because they take seconds to load, while the worker already sends heartbeats.
    import torch

    import models
    import training

    if options.threads:
        torch.set_num_threads(options.threads)
    task, folder = channel.task, channel.folder
    spec, config = task["spec"], task["spec"]["config"]
    # A rerun of the same job performs the same updates, so another worker can resume it.
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
        # Only the adapter: embeddings are not trained, and checking whether they were would need the network.
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
        except Exception as error:  # Any error ends the job with a reason; the stack trace goes to the log.
            traceback.print_exc()
            name = type(error).__name__
            code = "out_of_memory" if name in ("OutOfMemoryError", "MemoryError") else "trainer_failed"
            channel.say({"type": "failed", "code": code, "message": f"the worker failed with {name}"})
            sys.exit(1)


if __name__ == "__main__":
    main()
