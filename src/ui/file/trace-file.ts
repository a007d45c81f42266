import { isObject } from '../../protocol/values/parsed-object.ts';
import { decodeSkeleton } from '../../protocol/page/decode-skeleton.ts';
import type { TraceSkeleton } from '../../protocol/page/skeleton.ts';
import { readTraceFileLines, TRACE_FILE, type TraceFileFacts } from '../../protocol/page/trace-file.ts';
import type { CallSource, Feedback } from '../call/call-source.ts';
import { type StoredObject, storedObjectOf, type WrittenObject } from '../call/stored-object.ts';

/** A trace in the file that shows it. */
export interface TraceFile {
  readonly facts: TraceFileFacts;
  readonly skeleton: TraceSkeleton;
  readonly calls: CallSource;
}

/** Reads the parts of the file; of calls, objects and files only what is looked at is turned into values. */
export function readTraceFile(document: Document): TraceFile {
  const textOf = (part: keyof typeof TRACE_FILE): string =>
    document.getElementById(TRACE_FILE[part])?.textContent ?? '';
  const facts = JSON.parse(textOf('facts')) as TraceFileFacts;
  const [calls, objects, files] = (['calls', 'objects', 'files'] as const).map((part) =>
    readTraceFileLines(textOf(part)),
  );
  return {
    facts,
    skeleton: decodeSkeleton(bytesOf(textOf('skeleton'))),
    calls: {
      projectId: facts.project_id,
      hrefOfRef: () => undefined,
      readCall: async (id) => calls?.get(id) ?? 'null',
      readFeedback: async (id) => feedbackIn(calls?.get(id)),
      readObject: async (ref) => objectIn(objects?.get(ref)),
      readFile: async (digest) => blobOf(files?.get(digest)),
    },
  };
}

function feedbackIn(call: string | undefined): readonly Feedback[] {
  const record: unknown = call === undefined ? undefined : JSON.parse(call);
  const summary = isObject(record) ? record['summary'] : undefined;
  const ours = isObject(summary) ? summary['svc'] : undefined;
  const feedback = isObject(ours) ? ours['feedback'] : undefined;
  return Array.isArray(feedback) ? (feedback as readonly Feedback[]) : [];
}

function objectIn(json: string | undefined): StoredObject | undefined {
  if (json === undefined) return undefined;
  // The service has written it.
  return storedObjectOf(JSON.parse(json) as WrittenObject);
}

function blobOf(json: string | undefined): Blob | undefined {
  return json === undefined ? undefined : new Blob([bytesOf(JSON.parse(json) as string)]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
