import { formatCallRef } from '../../protocol/ref.ts';
import type { PolicyStore, RetentionPolicy, RetentionStore } from '../contract/retention.ts';
import { type CallRecord, isVisible, type VisibleCall } from '../values/call-record.ts';
import type { MemoryCalls } from './memory-calls.ts';
import type { MemoryFeedback } from './memory-feedback.ts';
import type { MemoryRuns } from './memory-runs.ts';

/** Removes old traces from the maps. */
export class MemoryRetention implements RetentionStore {
  readonly #calls: MemoryCalls;
  readonly #feedback: MemoryFeedback;
  readonly #runs: MemoryRuns;

  constructor(calls: MemoryCalls, feedback: MemoryFeedback, runs: MemoryRuns) {
    this.#calls = calls;
    this.#feedback = feedback;
    this.#runs = runs;
  }

  async projects(): Promise<string[]> {
    return this.#calls
      .projects()
      .filter((projectId) => this.#calls.records(projectId).some(({ isDeleted }) => !isDeleted));
  }

  async timeForBytes(projectId: string, bytes: number): Promise<number | undefined> {
    const traces = [...tracesOf(this.#calls.visibleCalls(projectId)).values()];
    let taken = 0;
    for (const calls of traces.toSorted((one, other) => lastOf(other) - lastOf(one))) {
      taken += calls.reduce((sum, call) => sum + bytesOf(call), 0);
      if (taken > bytes) return lastOf(calls) + 1;
    }
    return undefined;
  }

  async removeBefore(projectId: string, time: number) {
    const traces = [...tracesOf(this.#calls.visibleCalls(projectId)).values()];
    const old = traces.filter((calls) => lastOf(calls) < time);
    const halves = this.#calls.records(projectId).filter((record) => isOldHalf(record, time));
    const ids = [...old.flat(), ...halves].map(({ id }) => id);
    this.#calls.forget(projectId, ids);
    this.#feedback.forget(
      projectId,
      ids.map((id) => formatCallRef(projectId, id)),
    );
    const left = new Set(this.#calls.visibleCalls(projectId).map(({ start }) => start.process_run));
    this.#runs.removeBefore(projectId, time, (run) => left.has(run));
    return { traces: old.length, calls: ids.length };
  }
}

/** The policy, as long as this process lives. */
export class MemoryPolicy implements PolicyStore {
  #policy: RetentionPolicy | undefined;

  async get(): Promise<RetentionPolicy | undefined> {
    return structuredClone(this.#policy);
  }

  async set(policy: RetentionPolicy): Promise<void> {
    this.#policy = structuredClone(policy);
  }
}

function tracesOf(calls: readonly VisibleCall[]): Map<string, VisibleCall[]> {
  const traces = new Map<string, VisibleCall[]>();
  for (const call of calls) {
    const trace = traces.get(call.start.trace_id);
    if (trace === undefined) traces.set(call.start.trace_id, [call]);
    else trace.push(call);
  }
  return traces;
}

function lastOf(calls: readonly VisibleCall[]): number {
  return calls.reduce((last, { start, end }) => Math.max(last, start.started_at, end?.ended_at ?? 0), 0);
}

function isOldHalf(record: CallRecord, time: number): boolean {
  return !record.isDeleted && !isVisible(record) && record.end !== undefined && record.end.ended_at < time;
}

function bytesOf({ start, end }: VisibleCall): number {
  const texts = [start.attributes, start.inputs, start.otel_dump, end?.output, end?.summary];
  return texts.reduce<number>((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
}
