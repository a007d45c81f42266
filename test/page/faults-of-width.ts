import type { Page } from 'playwright-core';

/** WCAG 2.2, target size. */
const LEAST_TARGET_PX = 24;

/**
 * What does not fit: the page scrolls to the side, or something that one can press lies outside of the window although nothing
 * scrolls to it. Of what is touched also what is smaller than a finger, unless there is room around it.
 */
export async function faultsOf(page: Page, isTouched: boolean): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    const faults = [];
    const all = [...document.querySelectorAll('*')];
    const nameOf = (element) => element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.innerText ?? '').slice(0, 40);
    const boxOf = (element) => element.getBoundingClientRect();
    const scrolls = (element) => {
      for (let at = element.parentElement; at !== null; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== 'visible' && at.scrollWidth > at.clientWidth) return true;
      return false;
    };
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) {
      const wide = all.filter((element) => boxOf(element).right > clientWidth + 0.5);
      faults.push('the page is ' + scrollWidth + ' px wide for ' + wide.map((each) => each.className + ' ' + nameOf(each)).slice(-6).join('; '));
    }
    const isSeen = (element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest('[aria-hidden=true], .vh') === null && boxOf(element).width > 1 && boxOf(element).height > 1;
    // What lies behind a dialog cannot be pressed.
    const within = document.querySelector('dialog:modal') ?? document;
    const targets = [...within.querySelectorAll('button, a[href], input, [role=option], [role=tab]')].filter(isSeen);
    for (const target of targets) {
      const { left, right, top, bottom, width, height } = boxOf(target);
      if ((left < -1 || right > innerWidth + 1) && !scrolls(target))
        faults.push(nameOf(target) + ' lies at ' + Math.round(left) + ' to ' + Math.round(right));
      if (!${String(isTouched)} || Math.min(width, height) >= ${LEAST_TARGET_PX} - 0.5) continue;
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const reach = ${LEAST_TARGET_PX} / 2 - 0.5;
      const near = targets.find((other) => {
        const box = boxOf(other);
        return !other.contains(target) && !target.contains(other) &&
          box.left < x + reach && box.right > x - reach && box.top < y + reach && box.bottom > y - reach;
      });
      if (near !== undefined) faults.push(nameOf(target) + ' is ' + Math.round(width) + ' × ' + Math.round(height) + ' beside ' + nameOf(near));
    }
    return [...new Set(faults)];
  })()`);
}
