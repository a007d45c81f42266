import { callPath } from '../address/paths.ts';
import { addressOf } from '../data/ask.ts';
import { inParts } from '../data/in-parts.ts';
import type { CallRow, CallsSelection } from '../data/answers.ts';

export interface CopyContext {
  readonly project: string;
  readonly rows: readonly CallRow[];
}

/** Where each call is seen. */
export function asLinks({ project, rows }: CopyContext): string {
  return rows
    .map((row) => `${location.origin}${addressOf('/ui')}${callPath(project, row.trace_id, row.id)}`)
    .join('\n');
}

/** Each shows its call with those below it. */
export function asCommands({ project, rows }: CopyContext): string {
  return rows.map(({ id }) => `npx spoor show ${shellWord(id)} --project ${shellWord(project)}`).join('\n');
}

/** One request for all of them, as far as one may name them. The key is taken from the environment: what is copied may be pasted anywhere. */
export function asCurl({ project, rows }: CopyContext): string {
  const ids = rows.map(({ id }) => id);
  return selectionsOf(project, ids).map(curlOf).join('\n\n');
}

/** One request for the calls of a selection. */
export function curlOf(selection: CallsSelection): string {
  const body = JSON.stringify(selection, undefined, 2);
  const url = `${location.origin}${addressOf('/calls/stream_query')}`;
  return `curl ${shellWord(url)} -u "api:$SPOOR_API_KEY" \\\n  -H 'content-type: application/json' \\\n  -d ${shellWord(body)}`;
}

export function asTypeScript({ project, rows }: CopyContext): string {
  const ids = rows.map(({ id }) => `  ${textLiteral(id)},`).join('\n');
  const list = `const ids = [\n${ids}\n];\n`;
  if (rows.length <= NAMED_IDS) return programOf(project, 'call_ids: ids', list);
  const step = `for (let from = 0; from < ids.length; from += ${NAMED_IDS})\n`;
  return programOf(project, `call_ids: ids.slice(from, from + ${NAMED_IDS})`, `${list}${step}`);
}

/** A program that reads the calls of one trace, or thread. */
export function typeScriptOf(project: string, filter: 'trace_ids' | 'thread_ids', id: string): string {
  return programOf(project, `${filter}: [${textLiteral(id)}]`);
}

function programOf(project: string, filter: string, before = ''): string {
  return `import { createReader } from 'spoor/reader';

const { SPOOR_API_KEY: apiKey = '' } = process.env;
const reader = createReader({ url: ${textLiteral(location.origin + addressOf(''))}, apiKey, project: ${textLiteral(project)} });
${before}for await (const call of reader.calls.query({ filter: { ${filter} } })) {
  console.log(call.id, call.op_name, call.output);
}
`;
}

/** Calls that a request may name, unless the service is told otherwise: `filter_items`. */
const NAMED_IDS = 1000;

/** Exactly these calls, whatever the filter was: as many requests as the service wants. */
export function selectionsOf(project: string, ids: readonly string[]): readonly CallsSelection[] {
  return inParts(ids, NAMED_IDS).map((part) => ({ project_id: project, filter: { call_ids: [...part] } }));
}

/** A project may have a quote in its name, and who names it is not who runs this. */
function textLiteral(text: string): string {
  return /^[\w./:@-]*$/.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** A text as one word of a command. */
export function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
