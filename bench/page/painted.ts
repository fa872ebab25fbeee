// What someone who looks at a page waits for: until something is painted, until the rows are, and from a gesture until
// the last of what it changes is painted. Chromium measures by itself, in the page, by one rule for every viewer.

import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { findChromium } from "../../scripts/chromium.mjs";

/** What is looked at, by selectors and the ends of addresses. */
export interface Looked {
  /** A row on the page. */
  readonly row: string;
  /** The element in which changes are what a gesture is for. */
  readonly within: string;
  /** What matches while an answer is still under way. */
  readonly busy: string;
  /** A part of the address that each gesture's answer comes from; undefined for a page that asks no server. */
  readonly answer: string | undefined;
}

/** When a page was first painted, and its rows: milliseconds since it was navigated to. */
export interface Arrival {
  readonly paint: number;
  readonly rows: number;
}

/** What a page holds after use. */
interface Held {
  readonly nodes: number;
  readonly heapBytes: number;
  /** The longest time that the main thread was held since the page was loaded; 0 for none above 50 ms. */
  readonly longestTask: number;
}

/** A page that is watched. */
export interface Watched {
  readonly page: Page;
  /** Goes to an address anew, until its rows are painted. */
  arrive(address: string): Promise<Arrival>;
  /** Does something, and gives the milliseconds from its event until the last of what it changed was painted. */
  gesture(act: () => Promise<void>): Promise<number>;
  /** Slows the page's processor so many times; 1 for not. */
  throttle(times: number): Promise<void>;
  /** Scrolls the rows for two seconds: the share of frames that came late. */
  lateFrames(scrolled: string): Promise<number>;
  held(): Promise<Held>;
}

/** Starts the browser. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium()!, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Opens a page that is watched. */
export async function watchedPage(browser: Browser, looked: Looked): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(180_000);
  // What runs these sources names functions by a function that a page does not have.
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

/** What a page notes about itself. */
interface Noted {
  rows: number | undefined;
  longestTask: number;
  /** When the event of the gesture was; undefined until it comes. */
  begun: number | undefined;
  /** When the last change was painted. */
  painted: number;
  /** When the request began that was answered last. */
  asked: number;
}

/** Runs in a page before its own scripts do. */
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
  // What is changed before a frame is painted by the task after it.
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
  // It is over when nothing has changed for so long after its answer.
  const quiet = 250;
  const giveUp = performance.now() + 60_000;
  while (!bench.answered() || bench.painted === 0 || performance.now() - bench.painted < quiet) {
    if (performance.now() > giveUp) throw new Error("a gesture was never answered");
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
