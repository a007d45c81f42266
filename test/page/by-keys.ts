import type { Locator, Page } from 'playwright-core';

/** More than any page here has between two things. */
const MOST_PRESSES = 80;

/** Goes to a control by Tab, as everybody without a mouse does, and presses it. */
export async function pressAt(page: Page, control: Locator): Promise<void> {
  await goTo(page, control.first(), 'Tab');
  await page.keyboard.press('Enter');
}

/** Goes down the menu that is open, and takes an item of it. */
export async function takeItem(page: Page, item: Locator): Promise<void> {
  await goTo(page, item, 'ArrowDown');
  await page.keyboard.press('Enter');
}

/** Goes down the list by `j`, from wherever the focus is, until it is on the row. */
export async function stepTo(page: Page, row: Locator): Promise<void> {
  await row.waitFor();
  for (let presses = 0; presses < MOST_PRESSES && (await row.getAttribute('tabindex')) !== '0'; presses++)
    await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
}

export async function isFocused(control: Locator): Promise<boolean> {
  return await control.evaluate((element) => element === element.ownerDocument.activeElement);
}

/** Presses a key until the control has the focus. */
export async function goTo(page: Page, control: Locator, key: string): Promise<void> {
  await control.waitFor();
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    if (await isFocused(control)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The control is not reached by ${key}`);
}
