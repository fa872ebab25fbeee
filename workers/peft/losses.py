"""The arithmetic of reinforcement learning: advantages within a group, and the token losses of an answer."""

from dataclasses import dataclass

import torch

# Larger ratios than e^20 carry no more information, and could overflow.
MAX_LOG_RATIO = 20.0


@dataclass(frozen=True)
class PolicyConfig:
    """The loss function and its bounds. Fields have the names of the job's settings."""

    loss_fn: str = "cispo"
    epsilon: float | None = None
    epsilon_high: float | None = None
    importance_sampling_level: str = "token"
    mask_prob_ratio: bool = False
    max_negative_advantage_importance_sampling_weight: float | None = None
    kimi_k2_tau: float = 0.0

    @property
    def clip(self):
        """The minimum and maximum ratio; by default 0 to 5 for CISPO, 0.8 to 1.2 for PPO."""
        ppo = self.loss_fn == "ppo"
        low = self.epsilon if self.epsilon is not None else (0.2 if ppo else 1.0)
        high = self.epsilon_high if self.epsilon_high is not None else (low if ppo else 4.0)
        return 1 - low, 1 + high


def advantages(rewards, scale=True, balance=0.0):
    """The advantage of each attempt over its group. All zero if the rewards are equal.

    `balance` goes from -1 (learn only from negative advantages) to 1 (only from positive ones).
    """
    if len(set(rewards)) <= 1:
        return [0.0] * len(rewards)
    mean = sum(rewards) / len(rewards)
    deviation = (sum((reward - mean) ** 2 for reward in rewards) / len(rewards)) ** 0.5
    above = [(reward - mean) / (deviation if scale else 1.0) for reward in rewards]
    return [a * (1 - max(0.0, balance) if a < 0 else 1 + min(0.0, balance)) for a in above]


def policy_loss(now, then, advantage, config):
    """The losses of an answer's tokens, to sum and minimise, and the divergence from the sampling policy.

    `now` (with gradient) and `then` are the log-probabilities of the tokens under the current model and under the model
    that sampled them. CISPO (MiniMax, 2025) weighs each token's log-probability by its clipped ratio; PPO (Schulman
    et al., 2017) drops the gradient of a token whose ratio has left the clip range in the direction of its advantage.
    """
    low, high = config.clip
    log_ratio = (now - then).clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO)
    own = log_ratio.exp()
    drift = (own - 1 - log_ratio).detach()
    gain = advantage - config.kimi_k2_tau * log_ratio.detach()
    ratio = levelled(config.importance_sampling_level, own, log_ratio)
    if (bound := config.max_negative_advantage_importance_sampling_weight) is not None:
        ratio = torch.where(gain < 0, ratio.clamp(max=bound), ratio)
    if config.mask_prob_ratio:
        ratio = torch.where((ratio > low) & (ratio < high), ratio, torch.zeros_like(ratio))
    clipped = ratio.clamp(low, high)
    if config.mask_prob_ratio:
        clipped = torch.where(ratio == 0, ratio, clipped)
    if config.loss_fn == "ppo":
        return -torch.minimum(ratio * gain, clipped * gain), drift
    return -clipped.detach() * gain * now, drift


def levelled(level, own, log_ratio):
    """The ratio for each token: its own, its answer's (the exponential of the mean), or a mean of both."""
    whole = log_ratio.mean().exp().expand_as(own)
    if level == "token":
        return own
    if level == "sequence":
        return whole
    if level == "average":
        return (own + whole) / 2
    return (own * whole).sqrt()
