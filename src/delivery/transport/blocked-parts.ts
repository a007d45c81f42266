import { performance } from '../../host/clock.ts';
import { blockedPauseMs } from './blocked-pause.ts';

/** Parts that neither get through to a service that takes all else nor can go to disk: they wait, longer each time. */
export class BlockedParts<Part extends object> {
  /** With the time at which each is due. */
  readonly #waiting = new Map<Part, number>();
  readonly #times = new WeakMap<Part, number>();

  get parts(): readonly Part[] {
    return [...this.#waiting.keys()];
  }

  add(part: Part): void {
    const times = (this.#times.get(part) ?? 0) + 1;
    this.#times.set(part, times);
    this.#waiting.set(part, performance.now() + blockedPauseMs(times));
  }

  remove(part: Part): void {
    this.#waiting.delete(part);
  }

  /** Those that are due, now the caller's. */
  takeDue(): Part[] {
    if (this.#waiting.size === 0) return [];
    const now = performance.now();
    const due = this.parts.filter((part) => (this.#waiting.get(part) ?? 0) <= now);
    for (const part of due) this.remove(part);
    return due;
  }

  takeAll(): Part[] {
    const { parts } = this;
    this.#waiting.clear();
    return [...parts];
  }
}
