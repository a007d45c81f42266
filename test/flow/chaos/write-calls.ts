import type { State } from './ledger.ts';
import type { Step, Writer, WriterContext } from './writers.ts';

/** What a reader sees of a call. */
interface CallState {
  readonly op: string;
  readonly parent: string | null;
  readonly inputs: unknown;
  readonly output: unknown;
  readonly name: string | null;
  readonly isEnded: boolean;
}

const STARTED_AT = '2026-01-01T00:00:00Z';
const ENDED_AT = '2026-01-01T00:00:01Z';

export const callKey = (id: string) => `call ${id}`;
export const callState = (state: CallState): State => JSON.stringify(state);

/** Batches of starts and ends in any order, most of them of whole calls. */
export function batchWriter({ project, prefix, random }: WriterContext): Writer {
  let made = 0;
  return () => {
    const batch: unknown[] = [];
    const changes = new Map<string, State>();
    for (let count = random.between(1, 60); count > 0; count--) {
      const id = `${prefix}-${made++}`;
      const [inputs, output] = [{ text: random.text() }, random.text()];
      const start = { mode: 'start', req: { start: startOf(project, id, { inputs }) } };
      const end = { mode: 'end', req: { end: endOf(project, id, output) } };
      const isEnded = random.isTrue(0.9);
      batch.push(...(isEnded ? (random.isTrue(0.2) ? [end, start] : [start, end]) : [start]));
      const state = { op: 'f', parent: null, inputs, output: isEnded ? output : null, name: null, isEnded };
      changes.set(callKey(id), callState(state));
    }
    return { path: '/call/upsert_batch', body: { batch }, changes };
  };
}

/** Trees of calls, one request for each thing that happens to a call: start, end, a new name, deletion. */
export function callWriter(context: WriterContext): Writer {
  let made = 0;
  return () => {
    const { random, ledger } = context;
    const id = random.pick(ledger.present('call ').slice(-50))?.slice(callKey('').length);
    const choice = random.next();
    if (id === undefined || choice < 0.4) return startStep(context, `${context.prefix}-${made++}`, id ?? null);
    if (choice < 0.7) return endStep(context, id);
    return choice < 0.9 ? rename(context, id) : remove(context, id);
  };
}

function startStep({ project, random }: WriterContext, id: string, candidate: string | null): Step {
  const parent = random.isTrue(0.5) ? candidate : null;
  const inputs = { text: random.text() };
  const state = { op: 'f', parent, inputs, output: null, name: null, isEnded: false };
  const body = { start: startOf(project, id, { inputs, parent_id: parent }) };
  return { path: '/call/start', body, changes: new Map([[callKey(id), callState(state)]]) };
}

function endStep({ project, random, ledger }: WriterContext, id: string): Step {
  const output = random.text();
  const state = callState({ ...stateOf(ledger.get(callKey(id))), output, isEnded: true });
  return { path: '/call/end', body: { end: endOf(project, id, output) }, changes: new Map([[callKey(id), state]]) };
}

function rename({ project, random, ledger }: WriterContext, id: string): Step {
  const name = `name ${random.between(0, 1_000_000)}`;
  const state = callState({ ...stateOf(ledger.get(callKey(id))), name });
  const body = { project_id: project, call_id: id, display_name: name };
  return { path: '/call/update', body, changes: new Map([[callKey(id), state]]) };
}

function remove({ project, ledger }: WriterContext, id: string): Step {
  const keys = ledger.present('call ');
  const reached = new Set([id]);
  // Parents come before their children in the ledger.
  for (const key of keys) {
    const { parent } = stateOf(ledger.get(key));
    if (parent !== null && reached.has(parent)) reached.add(key.slice(callKey('').length));
  }
  const changes = new Map([...reached].map((each) => [callKey(each), null]));
  return { path: '/calls/delete', body: { project_id: project, call_ids: [id] }, changes };
}

/** Ends that are acknowledged before their starts: nobody sees them until then. */
export function halvesWriter({ project, prefix, random }: WriterContext): Writer {
  let made = 0;
  const ends = new Map<string, string>();
  return () => {
    const [id] = ends.keys();
    if (id === undefined || random.isTrue(0.5)) {
      const newId = `${prefix}-${made++}`;
      const output = random.text();
      const onAcknowledged = () => void ends.set(newId, output);
      return { path: '/call/end', body: { end: endOf(project, newId, output) }, changes: new Map(), onAcknowledged };
    }
    const inputs = { id };
    const output = ends.get(id) ?? '';
    ends.delete(id);
    const state = callState({ op: 'f', parent: null, inputs, output, name: null, isEnded: true });
    const body = { start: startOf(project, id, { inputs }) };
    return { path: '/call/start', body, changes: new Map([[callKey(id), state]]) };
  };
}

function startOf(project: string, id: string, fields: object): object {
  return { project_id: project, id, op_name: 'f', started_at: STARTED_AT, ...fields };
}

function endOf(project: string, id: string, output: string): object {
  return { project_id: project, id, ended_at: ENDED_AT, output };
}

function stateOf(state: State): CallState {
  return JSON.parse(state ?? '{}') as CallState;
}
