import { createHash } from 'node:crypto';
import { TracingError } from '../../protocol/error.ts';
import { inElement, TRACE_FILE, type TraceFileFacts, traceFileLine } from '../../protocol/page/trace-file.ts';
import { isRef, parseRef } from '../../protocol/ref.ts';
import { formatDateTime } from '../../protocol/values/date-time.ts';
import { parseCallsQuery } from '../query/plan/calls-query.ts';
import { objectText } from '../query/read/object-text.ts';
import { queryCalls } from '../query/refs/query-calls.ts';
import type { ReadContext } from '../query/read/read-calls.ts';
import { traceSkeleton } from '../query/rows/trace-skeleton.ts';
import type { Services } from '../services.ts';
import type { PageFiles } from './page-files.ts';

/** Larger files stay out, and all of them together have this room: browsers hold a page whole. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_FILES_BYTES = 64 * 1024 * 1024;

/** The part of the page that shows a trace, built to run from a file. */
export interface Viewer {
  readonly script: string;
  readonly style: string;
}

export async function readViewer(files: PageFiles): Promise<Viewer> {
  const [script, style] = [files.get('viewer/viewer.js'), files.get('viewer/viewer.css')];
  if (!script || !style) throw new TracingError('unavailable', 'The page of this service was not built');
  return { script: (await script.read()).toString('utf8'), style: (await style.read()).toString('utf8') };
}

export interface WantedTrace {
  readonly projectId: string;
  readonly traceId: string;
  readonly viewer: Viewer;
}

type Sources = Pick<Services, 'storage' | 'defaultPrices'>;

/**
 * A trace with all that is stored of it as one HTML file that asks for nothing: the viewer is in it, and its policy
 * forbids whatever else. Secrets were masked before they were stored. Throws `not_found` before the first part.
 */
export async function* traceHtml(
  { storage, defaultPrices }: Sources,
  wanted: WantedTrace,
  context: ReadContext,
): AsyncGenerator<string> {
  const { projectId, traceId, viewer } = wanted;
  const sources = { ...storage, defaultPrices };
  const request = {
    project_id: projectId,
    filter: { trace_ids: [traceId] },
    include_costs: true,
    include_feedback: true,
  };
  const calls = queryCalls(sources, parseCallsQuery(request, context), context);
  const found = await calls.next();
  if (found.done === true) throw new TracingError('not_found', `No such trace: "${traceId.slice(0, 200)}"`);
  const kept = new Kept();

  yield headOf(wanted);
  const skeleton: Uint8Array[] = [];
  const asked = { project_id: projectId, trace_id: traceId };
  for await (const part of traceSkeleton(sources, asked, context)) skeleton.push(part);
  yield element(TRACE_FILE.skeleton, Buffer.concat(skeleton).toString('base64'));

  yield opening(TRACE_FILE.calls);
  for (let step: IteratorResult<readonly string[]> = found; step.done !== true; step = await calls.next()) {
    yield step.value.map((line) => kept.note(line)).join('');
  }
  yield `${CLOSING}${opening(TRACE_FILE.objects)}`;
  for (const ref of kept.ops) yield await objectLine(sources, projectId, ref, kept);
  yield `${CLOSING}${opening(TRACE_FILE.files)}`;
  yield* fileLines(sources, projectId, kept);
  yield CLOSING;
  const facts: TraceFileFacts = { ...asked, exported_at: formatDateTime(Date.now() * 1000), left_out: kept.leftOut };
  yield element(TRACE_FILE.facts, inElement(JSON.stringify(facts)));
  yield `<script type="module">${viewer.script}</script>\n</body>\n</html>\n`;
}

/** Ops and files of the calls that were written so far. */
class Kept {
  readonly ops = new Set<string>();
  readonly digests = new Set<string>();
  leftOut = 0;

  /** The line of a call. */
  note(call: string): string {
    const [, id = '""', op = '""'] = BEGINNING.exec(call) ?? [];
    const ref = JSON.parse(op) as string;
    if (isRef(ref)) this.ops.add(ref);
    this.noteFiles(call);
    return traceFileLine(JSON.parse(id) as string, call);
  }

  noteFiles(json: string): void {
    for (const [, files = ''] of json.matchAll(FILES)) {
      for (const [, digest = ''] of files.matchAll(DIGEST)) this.digests.add(digest);
    }
  }
}

/** The members that stand first, as `callLine` writes them. */
const BEGINNING = /^\{"id":("(?:[^"\\]|\\.)*"),"project_id":"(?:[^"\\]|\\.)*","op_name":("(?:[^"\\]|\\.)*")/;
/** Members that stand for stored files in a value. That a text looks like them does no harm: there is no such file. */
const FILES = /"files":\s*\{([^{}]*)\}/g;
const DIGEST = /:\s*"([\w-]+)"/g;

async function objectLine({ objects }: Services['storage'], projectId: string, text: string, kept: Kept) {
  const ref = parseRef(text);
  const isHere = ref.kind === 'op' && `${ref.entity}/${ref.project}` === projectId;
  const object = isHere ? await objects.get(projectId, ref.name, ref.version) : undefined;
  if (!object || object.deleted_at !== null) return '';
  const json = objectText(object, object.size_bytes);
  kept.noteFiles(json);
  return traceFileLine(text, json);
}

async function* fileLines({ files }: Services['storage'], projectId: string, kept: Kept): AsyncGenerator<string> {
  let room = MAX_FILES_BYTES;
  for (const digest of kept.digests) {
    const file = await files.get(projectId, digest);
    if (!file) continue;
    if (file.bytes.length > Math.min(room, MAX_FILE_BYTES)) {
      kept.leftOut += 1;
      continue;
    }
    room -= file.bytes.length;
    yield traceFileLine(digest, JSON.stringify(Buffer.from(file.bytes).toString('base64')));
  }
}

function headOf({ traceId, viewer: { script, style } }: WantedTrace): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data: blob:',
    'media-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Trace ${traceId.replaceAll(/[^\w-]+/g, '_')}</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This trace is shown by a script that is in this file.</noscript>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function opening(id: string): string {
  return `<script type="text/plain" id="${id}">`;
}

const CLOSING = '</script>\n';

function element(id: string, text: string): string {
  return `${opening(id)}${text}${CLOSING}`;
}
