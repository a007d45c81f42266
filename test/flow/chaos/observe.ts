import type { JsonValue } from '../../../src/protocol/values/canonical-json.ts';
import { digestBytes, digestJson } from '../../../src/protocol/values/digest.ts';
import { callKey, callState } from './write-calls.ts';
import { versionsState } from './write-values.ts';

/** Sends a request to the service. */
export type Ask = (path: string, body: object) => Promise<Response>;

/** How everything of a project looks to a reader; what has no list is asked for by its key. */
export async function observe(ask: Ask, project: string, keys: readonly string[]): Promise<Map<string, string>> {
  const of = (prefix: string) => keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  const found = [
    ...(await calls(ask, project)),
    ...(await costs(ask, project)),
    ...(await feedback(ask, project)),
    ...named('object ', await objects(ask, project, of('object '))),
    ...named('file ', await each(of('file '), async (digest) => await file(ask, project, digest))),
    ...named('table ', await each(of('table '), async (digest) => await table(ask, project, digest))),
  ];
  return new Map(found.filter((entry): entry is [string, string] => entry[1] !== null));
}

type Entry = [string, string | null];

function named(prefix: string, entries: readonly Entry[]): Entry[] {
  return entries.map(([name, state]) => [prefix + name, state]);
}

async function calls(ask: Ask, project: string): Promise<Entry[]> {
  const text = await (await ask('/calls/stream_query', { project_id: project })).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const call = JSON.parse(line) as Record<string, unknown> & { id: string };
      const { op_name, parent_id, inputs, output, display_name, ended_at } = call;
      const [parent, name] = [parent_id as string | null, display_name as string | null];
      const state = { op: String(op_name), parent, inputs, output, name, isEnded: ended_at !== null };
      return [callKey(call.id), callState(state)];
    });
}

async function costs(ask: Ask, project: string): Promise<Entry[]> {
  const { results } = (await (await ask('/cost/query', { project_id: project })).json()) as {
    results: { llm_id: string; prompt_token_cost: number }[];
  };
  return results.map(({ llm_id, prompt_token_cost }) => [`cost ${llm_id}`, String(prompt_token_cost)]);
}

async function feedback(ask: Ask, project: string): Promise<Entry[]> {
  const { result } = (await (await ask('/feedback/query', { project_id: project })).json()) as {
    result: { id: string; payload: object }[];
  };
  return result.map(({ id, payload }) => [`feedback ${id}`, JSON.stringify(payload)]);
}

interface ObjectVersion {
  readonly object_id: string;
  readonly version_index: number;
  readonly digest: string;
  readonly is_latest: number;
}

async function objects(ask: Ask, project: string, known: readonly string[]): Promise<Entry[]> {
  const { objs } = (await (await ask('/objs/query', { project_id: project, metadata_only: true })).json()) as {
    objs: ObjectVersion[];
  };
  const names = new Set([...known, ...objs.map(({ object_id }) => object_id)]);
  return await each([...names], async (name) => {
    const versions = objs.filter(({ object_id }) => object_id === name);
    const count = await countOfVersions(ask, { project_id: project, object_id: name }, versions);
    const latest = versions.find(({ is_latest }) => is_latest === 1)?.version_index ?? -1;
    const there = versions.map(({ version_index: index, digest }) => ({ index, digest }));
    return versionsState({ versions: there, latest, count });
  });
}

/** Numbers are never used twice, so those of versions that were deleted last count too. */
async function countOfVersions(ask: Ask, name: object, versions: readonly ObjectVersion[]): Promise<number> {
  let count = Math.max(-1, ...versions.map(({ version_index }) => version_index)) + 1;
  for (;;) {
    const body = (await (await ask('/obj/read', { ...name, digest: `v${count}` })).json()) as { error_code?: string };
    if (body.error_code === 'not_found') return count;
    count++;
  }
}

async function file(ask: Ask, project: string, digest: string): Promise<string | null> {
  const answer = await ask('/file/content', { project_id: project, digest });
  return answer.status === 200 ? digestBytes(Buffer.from(await answer.arrayBuffer())) : null;
}

/** A table that is not there is seen as one without rows; none is made without. */
async function table(ask: Ask, project: string, digest: string): Promise<string | null> {
  const answer = await ask('/table/query', { project_id: project, digest });
  const { rows } = (await answer.json()) as { rows: { digest: string; val: JsonValue }[] };
  return rows.length === 0 ? null : JSON.stringify(rows.map(({ val }) => digestJson(val)));
}

const AT_ONCE = 8;

async function each(names: readonly string[], look: (name: string) => Promise<string | null>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let index = 0; index < names.length; index += AT_ONCE) {
    const some = names.slice(index, index + AT_ONCE);
    entries.push(...(await Promise.all(some.map(async (name): Promise<Entry> => [name, await look(name)]))));
  }
  return entries;
}
