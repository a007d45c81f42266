import { callPath } from '../address/paths.ts';
import { addressOf } from '../data/ask.ts';
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

/** One request for all of them. The key is taken from the environment: what is copied may be pasted anywhere. */
export function asCurl({ project, rows }: CopyContext): string {
  return curlOf(requestFor(project, rows));
}

/** One request for the calls of a selection. */
export function curlOf(selection: CallsSelection): string {
  const body = JSON.stringify(selection, undefined, 2);
  const url = `${location.origin}${addressOf('/calls/stream_query')}`;
  return `curl ${shellWord(url)} -u "api:$SPOOR_API_KEY" \\\n  -H 'content-type: application/json' \\\n  -d ${shellWord(body)}`;
}

export function asTypeScript({ project, rows }: CopyContext): string {
  const ids = rows.map(({ id }) => `  ${textLiteral(id)},`).join('\n');
  return programOf(project, 'call_ids: ids', `const ids = [\n${ids}\n];\n`);
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

/** Exactly these calls, whatever the filter was. */
export function selectionOf(project: string, ids: readonly string[]): CallsSelection {
  return { project_id: project, filter: { call_ids: [...ids] } };
}

function requestFor(project: string, rows: readonly CallRow[]): CallsSelection {
  return selectionOf(
    project,
    rows.map(({ id }) => id),
  );
}

/** A project may have a quote in its name, and who names it is not who runs this. */
function textLiteral(text: string): string {
  return /^[\w./:@-]*$/.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** A text as one word of a command. */
export function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
