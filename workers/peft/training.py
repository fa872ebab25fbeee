"""Training: the plan of a job's updates, which depends only on its task, and the updates themselves."""

import json
import random
from dataclasses import fields

import torch

from losses import PolicyConfig, advantages, policy_loss
from sequences import Refused, rl_sequences, sft_sequence

# Settings that would change the result and that this worker does not support: it refuses jobs with them.
ABSENT = (
    "kl_penalty_coef",
    "num_trajectories_learning_rate_multiplier_power",
    "scale_learning_rate_by_reward_std_dev",
    "truncated_importance_sampling",
)
# Defaults: tokens per update of an RL job, and rows per update of an SFT job.
PACK = 4096
BATCH = 2


def plan_sft(tokenizer, folder, config, seed):
    """Batches of conversations with their learning rates, in a different order for each epoch."""
    turns = setting(config, "assistant_turns", "all", lambda value: value in ("all", "last"))
    size = BATCH if config.get("batch_size") == "auto" else setting(config, "batch_size", BATCH, is_count)
    rate = setting(config, "learning_rate", 5e-5, is_rate)
    epochs = setting(config, "epochs", 1, is_count)
    with open(folder / "data.jsonl", encoding="utf-8") as lines:
        rows = [sft_sequence(tokenizer, json.loads(line), turns) for line in lines if line.strip()]
    order = random.Random(seed)
    batches = []
    for _ in range(epochs):
        order.shuffle(rows)
        batches += [rows[i : i + size] for i in range(0, len(rows), size)]
    rates = rate if isinstance(rate, list) else [rate]
    return [(batch, rates[min(i, len(rates) - 1)]) for i, batch in enumerate(batches)]


def plan_rl(tokenizer, groups, config, seed):
    """Packs of answers with their advantages and learning rate, and metrics of the rewards."""
    for name in ABSENT:
        if config.get(name) not in (None, 0, False):
            raise Refused("unsupported", f"{name}: this worker does not support this setting")
    rate = setting(config, "learning_rate", 5e-6, is_number)
    length = setting(config, "packed_sequence_length", PACK, is_count)
    balance = setting(config, "advantage_balance", 0.0, is_number)
    scale = config.get("scale_rewards", config.get("normalize_advantages")) is not False
    bare = config.get("allow_training_without_logprobs") is True or config.get("precalculate_logprobs") is True
    sequences, trainable = [], 0
    for group in groups:
        trajectories = group["trajectories"]
        known = len(sequences)
        for trajectory, advantage in zip(
            trajectories, advantages([t["reward"] for t in trajectories], scale, balance), strict=True
        ):
            if advantage != 0:
                sequences += rl_sequences(tokenizer, trajectory, advantage, bare)
        trainable += len(sequences) > known
    fitting = [sequence for sequence in sequences if len(sequence.tokens) <= length]
    if sequences and not fitting:
        raise Refused("overlength", f"every conversation has more than {length} tokens")
    # Shuffled, so that each update mixes many tasks: one task after another would make training oscillate.
    random.Random(seed).shuffle(fitting)
    packs, room = [], 0
    for sequence in fitting:
        if len(sequence.tokens) > room:
            packs.append([])
            room = length
        packs[-1].append(sequence)
        room -= len(sequence.tokens)
    rewards = [t["reward"] for group in groups for t in group["trajectories"]]
    about = {
        "reward": sum(rewards) / max(1, len(rewards)),
        "num_trajectories": len(rewards),
        "num_groups_submitted": len(groups),
        "num_groups_trainable": trainable,
    }
    return [(pack, rate) for pack in packs], about


def policy_config(config):
    """The settings of the loss."""
    ppo = config.get("ppo") is True
    given = {field.name: config[field.name] for field in fields(PolicyConfig) if config.get(field.name) is not None}
    policy = PolicyConfig(**{"loss_fn": "ppo" if ppo else "cispo", **given})
    levels = ("token", "sequence", "average", "geometric_average")
    if policy.loss_fn not in ("cispo", "ppo") or policy.importance_sampling_level not in levels:
        raise Refused("config", "loss_fn must be cispo or ppo, importance_sampling_level one of " + ", ".join(levels))
    return policy


def run(model, plan, loss_of, about):
    """Performs the updates of the plan; yields the metrics of each."""
    device = next(model.parameters()).device
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=0.0, weight_decay=0.0)
    for batch, rate in plan:
        count = sum(len(sequence.learned) for sequence in batch)
        totals = {}
        # One at a time, without padding: the memory of an update depends only on its longest conversation.
        for sequence in batch:
            now, entropy = logprobs(model, sequence, device)
            loss, more = loss_of(now, sequence)
            (loss / count).backward()
            for name, value in {"loss": loss, "entropy": entropy, **more}.items():
                totals[name] = totals.get(name, 0.0) + float(value.detach()) / count
        for group in optimiser.param_groups:
            group["lr"] = rate
        norm = torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        yield {
            **about,
            **totals,
            "grad_norm": norm,
            "learning_rate": rate,
            "num_trainable_tokens": count,
            "train_tokens": sum(len(sequence.tokens) for sequence in batch),
        }


def sft_loss(now, _sequence):
    """Cross-entropy."""
    return -now.sum(), {}


def rl_loss(policy):
    """The policy gradient. Answers without log-probabilities count as sampled from the current model."""

    def loss(now, sequence):
        said = torch.tensor(sequence.logprobs, device=now.device, dtype=now.dtype)
        then = torch.where(said.isnan(), now.detach(), said)
        losses, drift = policy_loss(now, then, sequence.advantage, policy)
        return losses.sum(), {"policy_loss": losses.sum(), "kl_div": drift.sum()}

    return loss


def logprobs(model, sequence, device):
    """The log-probabilities of the tokens to learn under the current model, and the sum of its entropies at their positions."""
    tokens = torch.tensor(sequence.tokens, device=device)
    # The first token has no context, so it cannot be learned.
    at = torch.tensor([position for position in sequence.learned if position > 0], device=device)
    logits = model(input_ids=tokens[None]).logits[0, at - 1].float()
    each = torch.log_softmax(logits, dim=-1)
    entropy = -(each.detach().exp() * each.detach()).sum()
    return each.gather(1, tokens[at][:, None])[:, 0], entropy


def setting(config, name, otherwise, is_right):
    """A setting, or `otherwise` if it is not set."""
    value = config.get(name)
    if value is None:
        return otherwise
    if not is_right(value):
        raise Refused("config", f"{name}: {json.dumps(value)[:100]} is not valid")
    return value


def is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def is_rate(value):
    return is_number(value) or (isinstance(value, list) and len(value) > 0 and all(map(is_number, value)))
