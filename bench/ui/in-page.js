// Runs in the page that is measured, before any script of its own: `bench` is what the measuring program calls there.
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Resolves when what is in the document now has been painted. */
const painted = async () => {
  await nextFrame();
  await new Promise((resolve) => setTimeout(resolve));
};

const ROW_PX = 28;
const keyTimes = [];

function isBlank(scroller) {
  const there = new Set([...scroller.querySelectorAll('[role=row]')].map((row) => row.ariaRowIndex));
  const first = Math.floor(scroller.scrollTop / ROW_PX);
  const last = Math.floor((scroller.scrollTop + scroller.clientHeight - 1) / ROW_PX);
  for (let index = first; index <= last; index++) if (!there.has(String(index + 2))) return true;
  return false;
}

globalThis.bench = {
  /** Milliseconds since the navigation, when so many rows of a list are painted. */
  async rows(count) {
    while (document.querySelector(`[role=grid] [role=row][aria-rowindex="${count + 1}"]`) === null) await nextFrame();
    await painted();
    return performance.now();
  },

  firstPaint() {
    return performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  },

  files() {
    return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  },

  /** Scrolls a list by so much each frame; what stands still, as nothing is loaded yet, is blank. */
  async scroll({ pixels, step, atMostMs }) {
    const scroller = document.querySelector('[role=grid] [role=rowgroup]');
    const frames = [];
    let blank = 0;
    let last = await nextFrame();
    const until = last + atMostMs;
    while (scroller.scrollTop < pixels && last < until) {
      const wanted = scroller.scrollTop + step;
      scroller.scrollTop = wanted;
      if (scroller.scrollTop < wanted - 1 || isBlank(scroller)) blank += 1;
      const now = await nextFrame();
      frames.push(now - last);
      last = now;
    }
    return { frames, blank, reached: scroller.scrollTop };
  },

  /** Notes the milliseconds from each key press until another row with the focus is painted. */
  watchKeys() {
    const focused = () => document.querySelector('[role=row][tabindex="0"]');
    const watch = async (event) => {
      const before = focused();
      while (focused() === before) await nextFrame();
      await painted();
      keyTimes.push(performance.now() - event.timeStamp);
    };
    addEventListener('keydown', watch, { capture: true });
  },

  /** What was noted, when there are so many. */
  async keysShown(count) {
    while (keyTimes.length < count) await nextFrame();
    return keyTimes;
  },

  /** Milliseconds from a click on the link to a trace until its tree is painted. */
  async openTrace(traceId, rows) {
    const link = document.querySelector(`[role=grid] a[href*="${traceId}"]`);
    const from = performance.now();
    link.click();
    while (document.querySelectorAll('[role=treegrid] [role=row]').length < rows) await nextFrame();
    await painted();
    return performance.now() - from;
  },

  /** Frames, and those of them in which the list changed, for so long. */
  async watchList(forMs) {
    const frames = [];
    let changes = 0;
    let hasChanged = false;
    const observer = new MutationObserver(() => {
      hasChanged = true;
    });
    observer.observe(document.querySelector('[role=grid]'), { subtree: true, childList: true, characterData: true });
    let last = await nextFrame();
    const until = last + forMs;
    while (last < until) {
      const now = await nextFrame();
      frames.push(now - last);
      if (hasChanged) changes += 1;
      hasChanged = false;
      last = now;
    }
    observer.disconnect();
    return { frames, changesPerSec: (changes * 1000) / forMs };
  },
};
