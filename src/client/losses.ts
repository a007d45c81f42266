import type { DeliveryStats } from '../delivery/delivery.ts';

export interface Losses {
  readonly count: number;
  /** One line that says how many of what. */
  readonly message: string;
}

/** The losses of a process, `undefined` when none: of its calls by reason, of its objects, and of earlier programs. */
export function lossesOf({
  droppedByReason,
  objects,
  evicted,
  damaged,
}: Pick<DeliveryStats, 'droppedByReason' | 'objects' | 'evicted' | 'damaged'>): Losses | undefined {
  const all = Object.entries({ ...droppedByReason, objects: objects.dropped, evicted, damaged });
  const lost = all.filter(([, count]) => count > 0);
  if (lost.length === 0) return undefined;
  const count = lost.reduce((sum, [, one]) => sum + one, 0);
  const what = count === 1 ? '1 record was lost' : `${count} records were lost`;
  return { count, message: `${what}: ${lost.map((part) => part.join(' ')).join(', ')} (see "spoor doctor")` };
}
