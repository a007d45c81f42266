import { digestBytes, digestJson, digestTable } from '../../../src/protocol/values/digest.ts';
import type { State } from './ledger.ts';
import type { Writer, WriterContext } from './writers.ts';

/** Prices of some models in one request, and their removal, as far as the answer has told their ids. */
export function costWriter({ project, prefix, random }: WriterContext): Writer {
  let made = 0;
  const ids = new Map<string, string>();
  return () => {
    if (ids.size > 0 && random.isTrue(0.3)) {
      const gone = [...ids].slice(0, random.between(1, 5));
      for (const [id] of gone) ids.delete(id);
      const query = { $expr: { $in: [{ $getField: 'id' }, gone.map(([id]) => ({ $literal: id }))] } };
      const changes = new Map(gone.map(([, model]) => [`cost ${model}`, null]));
      return { path: '/cost/purge', body: { project_id: project, query }, changes };
    }
    const prices = Array.from({ length: random.between(1, 10) }, () => [`${prefix}-${made++}`, random.next()] as const);
    const costs = prices.map(([model, price]) => [model, { prompt_token_cost: price, completion_token_cost: price }]);
    const changes = new Map(prices.map(([model, price]): [string, State] => [`cost ${model}`, String(price)]));
    const onAcknowledged = (answer: unknown) => {
      for (const [id, model] of (answer as { ids: [string, string][] }).ids) ids.set(id, model);
    };
    const body = { project_id: project, costs: Object.fromEntries(costs) };
    return { path: '/cost/create', body, changes, onAcknowledged };
  };
}

/** Feedback that is said, said otherwise, and taken back. */
export function feedbackWriter({ project, prefix, random, ledger }: WriterContext): Writer {
  let made = 0;
  return () => {
    const id = `${prefix}-${made++}`;
    const payload = { text: random.text() };
    const svc_ref = `svc:///${project}/call/${prefix}-${random.between(0, 9)}`;
    const fields = { project_id: project, id, svc_ref, feedback_type: 'note', payload };
    const created: [string, State] = [`feedback ${id}`, JSON.stringify(payload)];
    const old = random.pick(ledger.present('feedback '));
    const choice = random.next();
    if (old === undefined || choice < 0.5)
      return { path: '/feedback/create', body: fields, changes: new Map([created]) };
    const oldId = old.slice('feedback '.length);
    if (choice < 0.75) {
      const changes = new Map([[old, null], created]);
      return { path: '/feedback/replace', body: { ...fields, feedback_id: oldId }, changes };
    }
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: oldId }] } };
    return { path: '/feedback/purge', body: { project_id: project, query }, changes: new Map([[old, null]]) };
  };
}

export function fileWriter({ project, prefix, random }: WriterContext, form: 'json' | 'form'): Writer {
  let made = 0;
  return () => {
    const bytes = Buffer.from(`${prefix}-${made++} ${random.text()}`);
    const digest = digestBytes(bytes);
    const changes = new Map([[`file ${digest}`, digest]]);
    if (form === 'json') {
      const body = { project_id: project, name: 'f', content: bytes.toString('base64') };
      return { path: '/file/create', body, changes };
    }
    const body = new FormData();
    body.set('project_id', project);
    body.set('file', new File([bytes], 'f'));
    return { path: '/file/create', body, changes };
  };
}

interface Version {
  readonly index: number;
  readonly digest: string;
}

interface Versions {
  /** Those that are there. */
  readonly versions: readonly Version[];
  readonly latest: number;
  /** Versions there ever were. */
  readonly count: number;
}

export const versionsState = ({ versions, latest, count }: Versions): State =>
  versions.length === 0 && count === 0 ? null : JSON.stringify({ versions, latest, count });

/** Few names of many versions, some of which come back and some of which go. */
export function objectWriter({ project, prefix, random, ledger }: WriterContext): Writer {
  return () => {
    const object_id = `${prefix}-${random.between(0, 3)}`;
    const key = `object ${object_id}`;
    const before = JSON.parse(ledger.get(key) ?? '{"versions":[],"latest":-1,"count":0}') as Versions;
    const gone = random.pick(before.versions);
    if (gone !== undefined && random.isTrue(0.3)) {
      const versions = before.versions.filter((version) => version !== gone);
      const highest = Math.max(-1, ...versions.map(({ index }) => index));
      const latest = before.latest === gone.index ? highest : before.latest;
      const body = { project_id: project, object_id, digests: [gone.digest] };
      return { path: '/obj/delete', body, changes: new Map([[key, versionsState({ ...before, versions, latest })]]) };
    }
    const val = { n: random.between(0, 20), padding: 'x'.repeat(random.between(0, 2) * 5000) };
    const body = { obj: { project_id: project, object_id, val } };
    return {
      path: '/obj/create',
      body,
      changes: new Map([[key, versionsState(withVersion(before, digestJson(val)))]]),
    };
  };
}

function withVersion(before: Versions, digest: string): Versions {
  const existing = before.versions.find((version) => version.digest === digest);
  if (existing !== undefined) return { ...before, latest: existing.index };
  const index = before.count;
  return { versions: [...before.versions, { index, digest }], latest: index, count: index + 1 };
}

/** New tables, and tables that are others with a row more. */
export function tableWriter({ project, prefix, random, ledger }: WriterContext): Writer {
  let made = 0;
  const newRow = () => ({ id: `${prefix}-${made++}`, text: random.text() });
  return () => {
    const base = random.pick(ledger.present('table '));
    if (base !== undefined && random.isTrue(0.5)) {
      const row = newRow();
      const digests = [...(JSON.parse(ledger.get(base) ?? '[]') as string[]), digestJson(row)];
      const updates = [{ append: { row } }];
      const body = { project_id: project, base_digest: base.slice('table '.length), updates };
      return { path: '/table/update', body, changes: tableOf(digests) };
    }
    const rows = Array.from({ length: random.between(1, 50) }, newRow);
    const body = { table: { project_id: project, rows } };
    return { path: '/table/create', body, changes: tableOf(rows.map((row) => digestJson(row))) };
  };
}

function tableOf(rowDigests: readonly string[]): Map<string, State> {
  return new Map([[`table ${digestTable(rowDigests)}`, JSON.stringify(rowDigests)]]);
}
