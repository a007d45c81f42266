import type { CallRecord } from '../../values/call-record.ts';
import type { CallState } from './call-states.ts';

/** Characters of records that are kept, about. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
const RECORD_CHARACTERS = 500;

/** Calls that this process has started and that have not ended: their ends need not read them again. */
export class OpenCalls {
  readonly #records = new Map<string, Kept>();
  #characters = 0;

  /** The record of a call, if no other service has written it meanwhile. */
  get(projectId: string, id: string, version: bigint): CallRecord | undefined {
    const kept = this.#records.get(keyOf(projectId, id));
    return kept?.version === version ? kept.record : undefined;
  }

  /** A call that has ended is not asked for again; of those that are open the oldest go first. */
  keep(state: CallState): void {
    this.forget(state);
    const { record, version } = state;
    if (record.start === undefined || record.end !== undefined) return;
    const { attributes, inputs, otel_dump: otelDump } = record.start;
    const characters = RECORD_CHARACTERS + attributes.length + inputs.length + (otelDump?.length ?? 0);
    this.#records.set(keyOf(state.projectId, state.id), { record, version, characters });
    this.#characters += characters;
    for (const key of this.#records.keys()) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.#drop(key);
    }
  }

  forget({ projectId, id }: Pick<CallState, 'projectId' | 'id'>): void {
    this.#drop(keyOf(projectId, id));
  }

  #drop(key: string): void {
    this.#characters -= this.#records.get(key)?.characters ?? 0;
    this.#records.delete(key);
  }
}

interface Kept {
  readonly record: CallRecord;
  readonly version: bigint;
  readonly characters: number;
}

function keyOf(projectId: string, id: string): string {
  return `${projectId}\0${id}`;
}
