"""The figures of comparisons with numpy and scipy, over arrays of row means that are loaded before the timer starts."""

import json
import sys
import time

import numpy as np
from scipy import stats

asked = json.load(sys.stdin)
columns = {name: np.fromfile(file) for name, file in zip(asked["names"], asked["files"])}
question = asked["question"]
picked = question["measures"]
names = asked["dimensions"] if picked == "all" else [asked["dimensions"][d] for d in picked]


def compare(kept):
    found = {}
    for name in names:
        a, b = columns[name + "_0"][kept], columns[name + "_1"][kept]
        both = ~(np.isnan(a) | np.isnan(b))
        x, y = a[both], b[both]
        d = y - x
        found[name + " pairs"] = len(d)
        found[name + " difference"] = d.mean()
        found[name + " se"] = stats.sem(d)
        found[name + " baseline"] = np.nanmean(a)
        found[name + " candidate"] = np.nanmean(b)
        found[name + " correlation"] = stats.pearsonr(x, y).statistic
        # An answer needs the p-value and interval too. They are not compared: ours are exact where possible.
        stats.ttest_rel(y, x).confidence_interval(0.95)
    return found


def slices(kept):
    found = {}
    a, b, category = columns[names[0] + "_0"], columns[names[0] + "_1"], columns["category"]
    whole = kept & ~(np.isnan(a) | np.isnan(b))
    for value in np.unique(category[kept]):
        inside = whole & (category == value)
        x, y = a[inside], b[inside]
        key = f"{int(value)} "
        found[key + "pairs"] = len(x)
        found[key + "difference"] = (y - x).mean()
        found[key + "baseline"] = x.mean()
        found[key + "candidate"] = y.mean()
        stats.ttest_rel(y, x).confidence_interval(0.95)
        outside = whole & (category != value)
        (b[outside] - a[outside]).mean()
    return found


def ranking(kept):
    found = {}
    values = [columns[f"{names[0]}_{e}"][kept] for e in range(asked["evaluations"])]
    for i, a in enumerate(values):
        for j in range(i + 1, len(values)):
            d = a - values[j]
            d = d[~np.isnan(d)]
            found[f"{i} {j}"] = d.mean()
            wins, losses = int((d > 0).sum()), int((d < 0).sum())
            if wins + losses > 0:
                stats.binomtest(min(wins, losses), wins + losses)
    return found


answer = ranking if question.get("ranking") else slices if question.get("slices") else compare
answers, times = [], []
for run in range(5):
    for threshold in question["turns"]:
        start = time.perf_counter()
        every = np.ones(len(columns["greatest"]), dtype=bool)
        found = answer(every if threshold is None else columns["greatest"] > threshold)
        times.append((time.perf_counter() - start) * 1000)
        if run == 0:
            answers.append({name: float(value) for name, value in found.items()})
# The first round is a warm-up.
json.dump({"answers": answers, "times": times[len(question["turns"]) :]}, sys.stdout)
