// Measures how long a user waits: until the first paint, until the rows are painted, and from a gesture until the last
// of its effects is painted. Measured in the page by Chromium's own timestamps, by the same rules for every viewer.

import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { findChromium } from "../../scripts/chromium.mjs";

/** What to observe in a page: selectors and parts of addresses. */
export interface Looked {
  /** A row of the table. */
  readonly row: string;
  /** The element whose changes count as effects of a gesture. */
  readonly within: string;
  /** Matches while an answer is pending. */
  readonly busy: string;
  /** A part of the address that a gesture requests; undefined for a page without a server. */
  readonly answer: string | undefined;
}

/** Milliseconds from navigation to the first paint and to the first painted row. */
export interface Arrival {
  readonly paint: number;
  readonly rows: number;
}

/** The resources of a page after use. */
interface Held {
  readonly nodes: number;
  readonly heapBytes: number;
  /** The longest task on the main thread since the page loaded; 0 if none exceeded 50 ms. */
  readonly longestTask: number;
}

/** A page with instrumentation. */
export interface Watched {
  readonly page: Page;
  /** Navigates to an address and waits until its rows are painted. */
  arrive(address: string): Promise<Arrival>;
  /** Performs a gesture; resolves with the milliseconds from its event until the last of its effects was painted. */
  gesture(act: () => Promise<void>): Promise<number>;
  /** Slows the page's CPU down by a factor; 1 turns it off. */
  throttle(times: number): Promise<void>;
  /** Scrolls the rows for two seconds; resolves with the share of late frames. */
  lateFrames(scrolled: string): Promise<number>;
  held(): Promise<Held>;
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium()!, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Opens a page with instrumentation. */
export async function watchedPage(browser: Browser, looked: Looked): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(180_000);
  // tsx wraps function names in a helper that a page does not have.
  await page.addInitScript({ content: "globalThis.__name = (of) => of;" });
  await page.addInitScript(watch, looked);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  return {
    page,
    async arrive(address) {
      await page.goto("about:blank");
      await page.goto(address);
      await page.locator(looked.row).first().waitFor();
      return page.evaluate(arrivalOf);
    },
    async gesture(act) {
      await page.evaluate(beginGesture);
      await act();
      return page.evaluate(gestureOf);
    },
    throttle: (rate) => devtools.send("Emulation.setCPUThrottlingRate", { rate }) as Promise<never>,
    lateFrames: (scrolled) => page.evaluate(scrolledFrames, scrolled),
    held: () => heldBy(page, devtools),
  };
}

async function heldBy(page: Page, devtools: CDPSession): Promise<Held> {
  const longestTask = await page.evaluate(
    () => (globalThis as unknown as { readonly bench: Noted }).bench.longestTask,
  );
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const heapBytes = metrics.find(({ name }) => name === "JSHeapUsedSize")!.value;
  return { nodes: await page.locator("*").count(), heapBytes, longestTask };
}

/** What the instrumentation records in the page. */
interface Noted {
  rows: number | undefined;
  longestTask: number;
  /** The time of the gesture's event; undefined before it. */
  begun: number | undefined;
  /** The time of the last paint of a change. */
  painted: number;
  /** The start time of the last completed request. */
  asked: number;
}

/** Runs in a page before its own scripts. */
function watch({ row, within, busy, answer }: Looked): void {
  const noted: Noted & { answered(): boolean } = {
    rows: undefined,
    longestTask: 0,
    begun: undefined,
    painted: 0,
    asked: 0,
    answered: () =>
      noted.begun !== undefined &&
      (answer === undefined || noted.asked >= noted.begun) &&
      document.querySelector(busy) === null,
  };
  Object.assign(globalThis, { bench: noted });
  let waiting = false;
  // A task posted from an animation frame runs after the frame is painted.
  const whenPainted = (then: () => void): void => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(undefined);
    });
  };
  const changed = (changes: readonly MutationRecord[]): void => {
    if (noted.rows === undefined && document.querySelector(row) !== null) {
      noted.rows = Number.NaN;
      whenPainted(() => {
        noted.rows = performance.now();
      });
    }
    const counts = ({ target }: MutationRecord): boolean =>
      (target instanceof Element ? target : target.parentElement)?.closest(within) != null;
    if (waiting || !changes.some(counts)) return;
    waiting = true;
    whenPainted(() => {
      waiting = false;
      noted.painted = performance.now();
    });
  };
  new MutationObserver(changed).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    characterData: true,
  });
  for (const type of ["keydown", "click"])
    addEventListener(
      type,
      ({ timeStamp }) => {
        noted.begun ??= timeStamp;
      },
      { capture: true },
    );
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (answer !== undefined && name.includes(answer)) noted.asked = startTime;
  }).observe({ type: "resource" });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted.longestTask = Math.max(noted.longestTask, duration);
  }).observe({ type: "longtask" });
}

async function arrivalOf(): Promise<Arrival> {
  const { bench } = globalThis as unknown as { readonly bench: Noted };
  while (bench.rows === undefined || Number.isNaN(bench.rows))
    await new Promise((next) => setTimeout(next, 5));
  const [first] = performance.getEntriesByName("first-contentful-paint");
  return { paint: first?.startTime ?? Number.NaN, rows: bench.rows };
}

function beginGesture(): void {
  const { bench } = globalThis as unknown as { readonly bench: Noted };
  bench.begun = undefined;
  bench.painted = 0;
}

async function gestureOf(): Promise<number> {
  const { bench } = globalThis as unknown as { readonly bench: Noted & { answered(): boolean } };
  // A gesture is complete when nothing has changed for this long after its answer.
  const quiet = 250;
  const giveUp = performance.now() + 60_000;
  while (!bench.answered() || bench.painted === 0 || performance.now() - bench.painted < quiet) {
    if (performance.now() > giveUp) throw new Error("a gesture had no effect within a minute");
    await new Promise((next) => setTimeout(next, 20));
  }
  return bench.painted - bench.begun!;
}

async function scrolledFrames(selector: string): Promise<number> {
  const box = document.querySelector(selector)!;
  const times: number[] = [];
  const until = performance.now() + 2000;
  while (performance.now() < until) {
    times.push(await new Promise<number>((next) => requestAnimationFrame(next)));
    box.scrollTop += 30;
  }
  const late = times.slice(1).filter((time, at) => time - times[at]! > 1.5 * (1000 / 60));
  return late.length / (times.length - 1);
}
