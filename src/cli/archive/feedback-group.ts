import type { ArchiveLine } from './archive-line.ts';

/** A question asks for so much feedback of one project. */
const MAX_FEEDBACK = 100;
const MAX_CHARACTERS = 1024 * 1024;

/** Lines of feedback that are asked for together. */
export class FeedbackGroup {
  #lines: ArchiveLine[] = [];
  #characters = 0;

  /** Has a line room among those that are here? */
  takes({ kind, project, value }: ArchiveLine): boolean {
    if (kind !== 'feedback') return false;
    const [first] = this.#lines;
    if (first === undefined) return true;
    const isFull = this.#lines.length >= MAX_FEEDBACK || this.#characters + value.length > MAX_CHARACTERS;
    return first.project === project && !isFull;
  }

  add(line: ArchiveLine): void {
    this.#lines.push(line);
    this.#characters += line.value.length;
  }

  empty(): readonly ArchiveLine[] {
    const lines = this.#lines;
    this.#lines = [];
    this.#characters = 0;
    return lines;
  }
}
