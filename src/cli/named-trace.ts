import { parseRef, REF_SCHEME, type RefParts } from '../protocol/ref.ts';
import { UsageError } from './failure.ts';
import { findTrace, type FoundTrace } from './find-trace.ts';
import { connect, type ProjectReader, type ServiceOptions } from './known-service.ts';
import { newestTraces } from './newest-traces.ts';
import { toLine } from './output/plain-text.ts';
import { remark } from './output/say.ts';

/** The trace, or the part of it below one call, that an argument means. */
export async function namedTrace(text: string, options: ServiceOptions): Promise<FoundTrace> {
  const { id, project } = parseTarget(text);
  const asked = project === undefined ? options : { ...options, project };
  const found = await findTrace(id, asked);
  sayWhere(found, connect(asked));
  return found;
}

/** The newest one of the project, and where it has none, of the one that was used last. */
export async function newestTrace(options: ServiceOptions): Promise<FoundTrace> {
  const asked = connect(options);
  const own = await newestIn(asked);
  if (own !== undefined) return own;
  const [last] = await asked.reader.page.projects();
  const other = last && (await newestIn(connect({ ...options, project: last.project_id })));
  if (other === undefined) throw new Error('This service has no calls yet: run a program that is recorded');
  sayWhere(other, asked);
  return other;
}

async function newestIn(connection: ProjectReader): Promise<FoundTrace | undefined> {
  const [first] = await newestTraces(connection.reader, { filter: {}, query: undefined, limit: 1 });
  return first && { ...connection, target: { traceId: first.trace_id } };
}

/** For people: the next command has to name the project, too. */
function sayWhere(found: ProjectReader, asked: ProjectReader): void {
  if (found.project === asked.project) return;
  remark(`spoor: this trace is in project ${toLine(found.project)}, not in ${toLine(asked.project)}`);
}

/** A call reference names its project too. */
function parseTarget(text: string): { readonly id: string; readonly project?: string } {
  if (text === '') throw new UsageError('The id is empty');
  if (!text.startsWith(REF_SCHEME)) return { id: text };
  const ref = parseRefArgument(text);
  if (ref.kind !== 'call') throw new UsageError(`The reference is of kind ${ref.kind}; want one of a call`);
  return { id: ref.id, project: `${ref.entity}/${ref.project}` };
}

function parseRefArgument(text: string): RefParts {
  try {
    return parseRef(text);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
