// docs/decisions/0044-clickhouse-rows-are-only-inserted.md says why.
import { TracingError } from '../../../protocol/error.ts';
import type { CallFact, EndFact, WrittenCall } from '../../contract/calls.ts';
import { type CallRecord, isVisible, withFact, withName } from '../../values/call-record.ts';
import type { Connection, Row } from '../connection.ts';
import { inWrite } from '../failure.ts';
import { callRow, endHalf, halfRow } from './call-rows.ts';
import { type CallState, readStates, type WantedCalls } from './call-states.ts';
import { OpenCalls } from './open-calls.ts';
import { grouped } from './grouped.ts';
import { runRows } from './run-rows.ts';
import { nextTime, versionAbove } from './version-clock.ts';
import { nextVersion } from './versions.ts';
import { StartedPlaces } from './started-places.ts';
import type { WrittenSince } from './written-since.ts';

/** A name that an update gives. */
export interface NameFact {
  readonly kind: 'name';
  readonly project_id: string;
  readonly id: string;
  readonly display_name: string;
}

/** An end that was found beside a call that has started: one that has come to the call itself is newer. */
export interface LateEnd extends EndFact {
  readonly isLate: true;
}

export type Fact = CallFact | NameFact | LateEnd;

/** Writes groups of facts, one after the other: what a group finds is what the ones before it have left. */
export class GroupWriter {
  /** Works that are told of all calls that are written, however that comes. */
  readonly watches = new Set<WrittenSince>();
  readonly #connection: Connection;
  readonly #open = new OpenCalls();
  readonly #started: StartedPlaces;

  constructor(connection: Connection, started = new StartedPlaces()) {
    this.#connection = connection;
    this.#started = started;
  }

  /** The trace of each fact, in their order, or why a fact was refused. Rejects when nothing is known to be stored. */
  async write(facts: readonly Fact[]): Promise<(WrittenCall | TracingError)[]> {
    try {
      return await inWrite(() => this.#write(facts));
    } finally {
      // Also of a group that broke: some of it may be stored.
      for (const watch of this.watches) watch.add(facts);
    }
  }

  /** Takes away rows of starts for which another service has written another row and the key. Harmless beside groups. */
  async settle(signal?: AbortSignal): Promise<void> {
    await this.#started.settle(this.#connection, signal);
  }

  /** In place of that, while no other service is known. */
  forgetStarted(): void {
    this.#started.forgetOld();
  }

  forget(projectId: string, ids: readonly string[]): void {
    for (const id of ids) this.#open.forget({ projectId, id });
  }

  async #write(facts: readonly Fact[]): Promise<(WrittenCall | TracingError)[]> {
    const begunAt = performance.now();
    const states = await this.#read(facts);
    const answers = facts.map((fact) => apply(fact, states));
    const dirty = [...states.values()].filter(({ isDirty }) => isDirty);
    try {
      await this.#store(dirty, runRows(facts), begunAt);
    } catch (error) {
      for (const state of dirty) this.#open.forget(state);
      throw error;
    }
    for (const state of dirty) this.#open.keep(state);
    return answers;
  }

  async #read(facts: readonly Fact[]): Promise<Map<string, CallState>> {
    const states = new Map<string, CallState>();
    for (const [projectId, ofProject] of grouped(facts, (fact) => fact.project_id)) {
      for (const state of await readStates(this.#connection, projectId, this.#wanted(projectId, ofProject))) {
        states.set(keyOf(projectId, state.id), state);
      }
    }
    return states;
  }

  #wanted(projectId: string, facts: readonly Fact[]): WantedCalls {
    const changed = new Set(facts.filter(({ kind }) => kind !== 'start').map(({ id }) => id));
    const parents = facts.map((fact) => (fact.kind === 'start' && fact.trace_id === null ? fact.parent_id : null));
    const known = new Map<string, CallRecord | undefined>();
    return {
      ids: new Set([...facts.map(({ id }) => id), ...parents.filter((id) => id !== null)]),
      known: (key) => known.get(key.id),
      isToChange: (key) => {
        if (!changed.has(key.id) || key.is_gone === 1) return false;
        const record = this.#open.get(projectId, key.id, BigInt(key.ver));
        // Another service may have started it at another time, and has the key.
        known.set(key.id, record?.start?.started_at === key.started_at ? record : undefined);
        return known.get(key.id) === undefined;
      },
    };
  }

  /** All else before keys: what was begun and not answered is written once more, as if nothing of it were there. */
  async #store(states: readonly CallState[], runs: readonly Row[], begunAt: number): Promise<void> {
    const started = states.filter(({ record }) => isVisible(record));
    for (const state of started) state.version = nextVersion(state.version, progressOf(state.record));
    const halved = states.filter(hasHalves).map(({ projectId, id }) => ({ project_id: projectId, id }));
    if (halved.length > 0) await versionAbove(this.#connection, 'call_halves', halved);
    await allEnded([
      this.#connection.insert('calls', started.map(rowOf)),
      this.#connection.insert('trace_spans', traceRows(started.filter(({ stored }) => stored === undefined))),
      this.#connection.insert('process_runs', runs),
    ]);
    try {
      await allEnded([
        this.#connection.insert('call_keys', started.map(keyRow)),
        this.#connection.insert('call_halves', states.flatMap(halfRows)),
      ]);
    } finally {
      // When keys are there, which are looked for. What broke may have been stored.
      this.#started.add(started.filter(({ stored }) => stored === undefined).map(placeOf), performance.now() - begunAt);
    }
  }
}

/** Resolves or rejects when all have ended: nothing of a group goes on beside the next one. */
async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function apply(fact: Fact, states: ReadonlyMap<string, CallState>): WrittenCall | TracingError {
  const state = states.get(keyOf(fact.project_id, fact.id));
  if (state === undefined) throw new TypeError('A fact of a group has no state');
  const { record } = state;
  if (fact.kind === 'name' && record.isDeleted) {
    return new TracingError('call_deleted', `Cannot rename call "${fact.id}": it is deleted`);
  }
  // What is stored and stays as it is was not read.
  const isStartAgain = fact.kind === 'start' && state.stored !== undefined;
  const changed = isStartAgain ? record : withAny(record, fact, states);
  if (changed !== record) Object.assign(state, { record: changed, isDirty: true });
  if (changed !== record && fact.kind === 'name') state.isRenamed = true;
  return { id: fact.id, trace_id: state.stored?.traceId ?? changed.start?.trace_id ?? '' };
}

function withAny(record: CallRecord, fact: Fact, states: ReadonlyMap<string, CallState>): CallRecord {
  if (fact.kind === 'name') {
    const isSame = record.nameSource === 'update' && record.displayName === fact.display_name;
    return isSame ? record : withName(record, 'update', fact.display_name);
  }
  if ('isLate' in fact && record.end !== undefined && record.end.revision >= fact.revision) return record;
  return withFact(record, fact, fact.kind === 'start' ? traceOf(fact, states) : '');
}

function traceOf(start: CallFact & { kind: 'start' }, states: ReadonlyMap<string, CallState>): string {
  if (start.trace_id !== null) return start.trace_id;
  const parent = start.parent_id === null ? undefined : states.get(keyOf(start.project_id, start.parent_id));
  return parent?.stored?.traceId ?? parent?.record.start?.trace_id ?? start.fallback_trace_id;
}

function progressOf({ end, isDeleted }: CallRecord) {
  return { revision: end?.revision, isDeleted };
}

function placeOf({ projectId, id, record, version }: CallState) {
  return { projectId, id, startedAt: record.start?.started_at ?? 0, version };
}

function keyRow({ projectId, id, record, version }: CallState): Row {
  const { trace_id = '', parent_id = null, started_at = 0 } = record.start ?? {};
  return { project_id: projectId, id, trace_id, parent_id, started_at, ver: String(version), is_gone: 0 };
}

/** One row for the calls of a trace. */
function traceRows(states: readonly CallState[]): Row[] {
  const traces = grouped(states, ({ projectId, record }) => keyOf(projectId, record.start?.trace_id ?? ''));
  return Array.from(traces.values(), (calls) => {
    const [call] = calls;
    const times = calls.map(({ record }) => record.start?.started_at ?? 0);
    const first = times.reduce((one, other) => Math.min(one, other));
    const last = times.reduce((one, other) => Math.max(one, other));
    return { project_id: call?.projectId, trace_id: call?.record.start?.trace_id ?? '', first, last };
  });
}

function rowOf({ record, version }: CallState): Row {
  if (!isVisible(record)) throw new TypeError('A call without a start has no row');
  return callRow(record, version);
}

function hasHalves({ record, halves, isRenamed }: CallState): boolean {
  return !isVisible(record) || halves.length > 0 || isRenamed === true;
}

/** The halves of a call that has not started; where it has, those that were stored go, and new names are noted. */
function halfRows(state: CallState): Row[] {
  const { projectId, id, record, halves } = state;
  const version = BigInt(nextTime());
  const { end, displayName, nameSource } = record;
  const name = halfRow(projectId, id, 'name', { display_name: displayName, ver: String(version) });
  if (isVisible(record)) {
    const gone = { ver: String(version), is_deleted: 1 };
    // Another service may write the row at this moment, without the name: then it is set again.
    return [...halves.map((kind) => halfRow(projectId, id, kind, gone)), ...(state.isRenamed === true ? [name] : [])];
  }
  return [
    ...(end === undefined ? [] : [endHalf(end, nameSource === 'end' ? displayName : null, version)]),
    ...(nameSource === 'update' ? [name] : []),
  ];
}

function keyOf(projectId: string, id: string): string {
  return `${projectId}\0${id}`;
}
