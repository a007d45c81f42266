import { InvalidArgumentError } from 'commander';
import { isTime, periodOf } from '../filter/instant.ts';
import { isProjectId } from '../protocol/values/id.ts';
import { localTimeZone } from './local-time-zone.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

export function parsePositive(text: string): number {
  const count = parseWhole(text);
  if (count === undefined || count === 0) throw new InvalidArgumentError('It is not a whole number above 0.');
  return count;
}

/** Unix seconds of a date-time, a date (its midnight), or a time span before now; without an offset by the clocks here. */
export function parseInstant(text: string): number {
  const [, amount, unit = ''] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return Date.now() / 1000 - Number(amount) * (UNIT_SECONDS[unit] ?? 0);
  // Times are printed with a blank in them.
  const time = text.replace(' ', 'T');
  if (!isTime(time)) throw new InvalidArgumentError('It is neither a time span as 30m, 2h, 7d nor a date-time.');
  return periodOf(time, localTimeZone()).from / 1_000_000;
}

export function parseEntities(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('A name in the list is empty.');
  const wrong = items.find((item) => item !== '*' && !isEntity(item));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is not the name of an entity.`);
  return items;
}

/** The first half of a project. */
function isEntity(text: string): boolean {
  return !text.includes('/') && isProjectId(`${text}/any`);
}

function parseWhole(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
