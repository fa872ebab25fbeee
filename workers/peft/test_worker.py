"""Tests of the arithmetic and of the tokens to learn. Run `python -m unittest` in this folder; no network needed."""

import math
import unittest

import torch

from losses import PolicyConfig, advantages, policy_loss
from models import tiny_tokenizer
from sequences import Refused, rl_sequences, sft_sequence
from training import plan_rl, policy_config

USER = {"role": "user", "content": "colour?"}


def choice(*tokens, logprobs=True):
    content = [{"token": token, "logprob": -1.0} for token in tokens] if logprobs else None
    return {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": "red"},
        "logprobs": {"content": content},
    }


class Advantages(unittest.TestCase):
    def test_compares_within_the_group(self):
        self.assertEqual(advantages([0, 0, 2, 2]), [-1, -1, 1, 1])
        self.assertEqual(advantages([0, 0, 2, 2], scale=False), [-1, -1, 1, 1])
        self.assertEqual(advantages([0, 4], scale=False), [-2, 2])
        self.assertEqual(advantages([0.1, 0.1, 0.1]), [0, 0, 0])
        self.assertEqual(advantages([0, 2], balance=1), [0, 1])
        self.assertEqual(advantages([0, 2], balance=-0.5), [-1, 0.5])


class PolicyLoss(unittest.TestCase):
    def gradient(self, now, then, advantage, **config):
        """The negated derivative of the loss by each log-probability: how strongly an update increases it."""
        now = torch.tensor(now, requires_grad=True)
        losses, _ = policy_loss(now, torch.tensor(then), advantage, PolicyConfig(**config))
        losses.sum().backward()
        return [round(-float(value), 4) for value in now.grad]

    def test_cispo_weighs_by_the_clipped_ratio(self):
        self.assertEqual(self.gradient([-1.0, -1.0], [-1.0, -1 - math.log(2)], 1.0), [1.0, 2.0])
        self.assertEqual(self.gradient([-1.0], [-5.0], -1.0), [-5.0])

    def test_ppo_drops_the_gradient_outside_the_clip_range(self):
        then = [-1 - math.log(1.1), -1 - math.log(1.5), -1 + math.log(2)]
        self.assertEqual(self.gradient([-1.0] * 3, then, 1.0, loss_fn="ppo"), [1.1, 0.0, 0.5])
        self.assertEqual(self.gradient([-1.0] * 3, then, -1.0, loss_fn="ppo"), [-1.1, -1.5, 0.0])

    def test_masks_bounds_and_levels(self):
        then = [-1.0, -1 - math.log(2)]
        masked = self.gradient([-1.0, -1.0], then, 1.0, epsilon=0.5, epsilon_high=0.5, mask_prob_ratio=True)
        self.assertEqual(masked, [1.0, 0.0])
        bound = {"max_negative_advantage_importance_sampling_weight": 1.5}
        self.assertEqual(self.gradient([-1.0, -1.0], then, -1.0, **bound), [-1.0, -1.5])
        whole = self.gradient([-1.0, -1.0], then, 1.0, importance_sampling_level="sequence")
        self.assertEqual(whole, [round(math.sqrt(2), 4)] * 2)

    def test_reports_the_divergence_from_the_sampling_policy(self):
        _, drift = policy_loss(torch.tensor([-1.0, -1.0]), torch.tensor([-1.0, -2.0]), 1.0, PolicyConfig())
        self.assertAlmostEqual(float(drift.sum()), math.e - 2, places=5)

    def test_refuses_invalid_settings(self):
        self.assertEqual(policy_config({"ppo": True, "loss_fn": None}).loss_fn, "ppo")
        with self.assertRaises(Refused):
            policy_config({"loss_fn": "reinforce"})


class Sequences(unittest.TestCase):
    tokenizer = tiny_tokenizer()

    def text(self, sequence):
        return self.tokenizer.decode([sequence.tokens[i] for i in sequence.learned])

    def test_fine_tuning_learns_assistant_messages(self):
        said = [{"role": "assistant", "content": "red"}, {"role": "assistant", "content": "green"}]
        row = {"messages": [{"role": "system", "content": "be brief"}, USER, said[0], USER, said[1]]}
        self.assertEqual(self.text(sft_sequence(self.tokenizer, row)), "red<|im_end|>green<|im_end|>")
        self.assertEqual(self.text(sft_sequence(self.tokenizer, row, "last")), "green<|im_end|>")

    def test_reinforcement_learns_sampled_tokens(self):
        red = [f"token_id:{i}" for i in self.tokenizer.encode("red", add_special_tokens=False)]
        trajectory = {"messages_and_choices": [USER, choice(*red), USER, choice("token_id:256")]}
        first, second = rl_sequences(self.tokenizer, trajectory, 1.0, False)
        self.assertEqual((self.text(first), first.logprobs), ("red", [-1.0] * 3))
        self.assertEqual(second.learned, [len(second.tokens) - 1])
        self.assertIn("red", self.tokenizer.decode(second.tokens))

    def test_accepts_tokens_by_text_and_refuses_unknown_ones(self):
        trajectory = {"messages_and_choices": [USER, choice("r", "e", "d")]}
        self.assertEqual(self.text(rl_sequences(self.tokenizer, trajectory, 1.0, False)[0]), "red")
        for token in ("token_id:99999", "token_id:x", "reds"):
            with self.assertRaises(Refused):
                rl_sequences(self.tokenizer, {"messages_and_choices": [USER, choice(token)]}, 1.0, False)
        with self.assertRaises(Refused):
            rl_sequences(self.tokenizer, {"messages_and_choices": [choice("r")]}, 1.0, False)

    def test_learns_answers_without_logprobs_only_if_allowed(self):
        trajectory = {"messages_and_choices": [USER, choice(logprobs=False)]}
        self.assertEqual(rl_sequences(self.tokenizer, trajectory, 1.0, False), [])
        self.assertEqual(self.text(rl_sequences(self.tokenizer, trajectory, 1.0, True)[0]), "red<|im_end|>")

    def test_packs_are_bounded_and_deterministic(self):
        groups = [{"trajectories": [{"reward": i, "messages_and_choices": [USER, choice("r")]} for i in range(4)]}]
        plan, about = plan_rl(self.tokenizer, groups, {"packed_sequence_length": 80}, 1)
        self.assertTrue(all(sum(len(s.tokens) for s in pack) <= 80 for pack, _ in plan))
        self.assertEqual(sum(len(pack) for pack, _ in plan), 4)
        self.assertEqual((about["num_groups_trainable"], about["reward"]), (1, 1.5))
        self.assertEqual(plan, plan_rl(self.tokenizer, groups, {"packed_sequence_length": 80}, 1)[0])
        for config in ({"packed_sequence_length": 3}, {"kl_penalty_coef": 0.1}, {"learning_rate": "fast"}):
            with self.assertRaises(Refused):
                plan_rl(self.tokenizer, groups, config, 1)


if __name__ == "__main__":
    unittest.main()
