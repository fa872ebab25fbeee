// Formats times for readers: the time for today, the date for other days.

// Created once: creating a formatter takes longer than formatting.
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DAY_OF_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** A start time in local time; empty if there is none. */
export function whenText(iso: string | null | undefined): string {
  if (iso == null || Number.isNaN(Date.parse(iso))) return "";
  const at = new Date(iso);
  const time = CLOCK.format(at);
  if (at.toDateString() === new Date().toDateString()) return time;
  const date = at.getFullYear() === new Date().getFullYear() ? DAY : DAY_OF_YEAR;
  return `${date.format(at)} ${time}`;
}

/** Seconds as `0.4 ms`, `12 ms`, `3.1 s`, `2 min 5 s`. */
export function durationText(seconds: number): string {
  if (seconds < 0.001) return `${Number((seconds * 1e3).toPrecision(2))} ms`;
  if (seconds < 1) return `${Number((seconds * 1e3).toPrecision(3))} ms`;
  // 59.96 s is 1 min 0 s, as 119.7 s is 2 min 0 s.
  if (seconds < 59.95) return `${Number(seconds.toPrecision(3))} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
