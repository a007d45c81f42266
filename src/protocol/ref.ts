import { TracingError } from './error.ts';
import { isId, isObjectId, isProjectId } from './values/id.ts';

export const REF_SCHEME = 'svc:///';

const EDGES = ['attr', 'key', 'index', 'id'] as const;

/** `attr` and `key` name a member, `index` an array position, `id` a table row by its digest. */
export type RefEdge = (typeof EDGES)[number];

export interface RefStep {
  readonly edge: RefEdge;
  readonly value: string;
}

interface RefHead {
  readonly entity: string;
  readonly project: string;
  /** Path into the value, outermost step first. */
  readonly extra: readonly RefStep[];
}

/** `version` is a digest, `latest`, `v<N>`, an alias, or `*` in filters. */
export interface ObjectRefParts extends RefHead {
  readonly kind: 'object' | 'op';
  readonly name: string;
  readonly version: string;
}

export interface CallRefParts extends RefHead {
  readonly kind: 'call';
  readonly id: string;
}

/** `extra` is empty, or one `id` step with the digest of a row. */
export interface TableRefParts extends RefHead {
  readonly kind: 'table';
  readonly digest: string;
}

export type RefParts = ObjectRefParts | CallRefParts | TableRefParts;

/** Reads a reference; throws `invalid_ref` with the reason. */
export function parseRef(text: string): RefParts {
  if (!text.startsWith(REF_SCHEME)) throw invalidRef(text, `it does not start with ${REF_SCHEME}`);
  const path = text.slice(REF_SCHEME.length).replace(/\/$/, '');
  const [entityText, projectText, kind, target, ...rest] = path.split('/');
  if (!entityText || !projectText || !kind || !target) throw invalidRef(text, 'a part is missing');
  const entity = decode(text, entityText);
  const project = decode(text, projectText);
  if (!isProjectId(`${entity}/${project}`)) throw invalidRef(text, 'entity and project are not a project id');
  const head = { entity, project, extra: parseExtra(text, rest) };
  switch (kind) {
    case 'object':
    case 'op':
      return { kind, ...head, ...parseNameAndVersion(text, decode(text, target)) };
    case 'call':
      return { kind, ...head, id: parseCallId(text, decode(text, target)) };
    case 'table':
      return { kind, ...head, digest: parseTable(text, target, head.extra) };
    default:
      throw invalidRef(text, `"${kind}" is not object, op, call or table`);
  }
}

/** Is this string a reference: does it start with the scheme and parse? */
export function isRef(text: string): boolean {
  if (!text.startsWith(REF_SCHEME)) return false;
  try {
    parseRef(text);
    return true;
  } catch {
    // A text that only looks like a reference is plain text.
    return false;
  }
}

/** Prints a reference; `parseRef` reads it back as the same parts. */
export function formatRef(ref: RefParts): string {
  const extra = ref.extra.map(({ edge, value }) => `/${edge}/${encode(value)}`).join('');
  return `${REF_SCHEME}${encode(ref.entity)}/${encode(ref.project)}/${ref.kind}/${targetOf(ref)}${extra}`;
}

/** A reference as we write it: clients write entity and project without escapes, or with others. Throws `invalid_ref`. */
export function respellRef(text: string): string {
  return formatRef(parseRef(text));
}

/** The reference of an op or object version in a project `<entity>/<project>`. */
export function formatObjectRef(projectId: string, kind: 'object' | 'op', name: string, version: string): string {
  return formatRef({ ...splitProjectId(projectId), kind, name, version, extra: [] });
}

export function formatCallRef(projectId: string, id: string): string {
  return formatRef({ ...splitProjectId(projectId), kind: 'call', id, extra: [] });
}

export function formatTableRef(projectId: string, digest: string): string {
  return formatRef({ ...splitProjectId(projectId), kind: 'table', digest, extra: [] });
}

/** Name part of an op reference, or the text itself when it is a plain op name. */
export function opNameOf(opName: string): string {
  if (!opName.startsWith(REF_SCHEME)) return opName;
  try {
    const ref = parseRef(opName);
    return ref.kind === 'op' ? ref.name : opName;
  } catch {
    return opName;
  }
}

function targetOf(ref: RefParts): string {
  if (ref.kind === 'call') return ref.id;
  if (ref.kind === 'table') return ref.digest;
  return `${ref.name}:${ref.version}`;
}

function splitProjectId(projectId: string): { entity: string; project: string } {
  const [entity = '', project = ''] = projectId.split('/');
  return { entity, project };
}

function parseNameAndVersion(text: string, target: string): { name: string; version: string } {
  const [name = '', version = '', more] = target.split(':');
  if (more !== undefined || !isObjectId(name)) throw invalidRef(text, 'the name is not an object id');
  if (version === '') throw invalidRef(text, 'the version is missing');
  return { name, version };
}

function parseCallId(text: string, id: string): string {
  if (!isId(id)) throw invalidRef(text, 'the call id is not an id');
  return id;
}

function parseTable(text: string, digest: string, extra: readonly RefStep[]): string {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw invalidRef(text, 'the table digest is not 64 hexadecimal digits');
  if (extra.length > 1 || (extra.length === 1 && extra[0]?.edge !== 'id')) {
    throw invalidRef(text, 'a table takes one row id');
  }
  return digest;
}

function parseExtra(text: string, parts: readonly string[]): RefStep[] {
  if (parts.length % 2 !== 0) throw invalidRef(text, 'an edge has no value');
  const steps: RefStep[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    steps.push(parseStep(text, parts[index] ?? '', decode(text, parts[index + 1] ?? '')));
  }
  return steps;
}

function parseStep(text: string, edge: string, value: string): RefStep {
  if (!isEdge(edge)) throw invalidRef(text, `"${edge}" is not an edge`);
  if (edge === 'index' && !/^\d+$/.test(value)) throw invalidRef(text, `the index "${value}" is not a whole number`);
  return { edge, value };
}

function isEdge(text: string): text is RefEdge {
  return (EDGES as readonly string[]).includes(text);
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw invalidRef(text, `"${part}" is not percent-encoded UTF-8`, error);
  }
}

/** RFC 3986: everything but letters, digits and `- . _ ~`; `encodeURIComponent` leaves five more alone. */
function encode(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function invalidRef(text: string, reason: string, cause?: unknown): TracingError {
  return new TracingError('invalid_ref', `Cannot read reference "${text.slice(0, 200)}": ${reason}`, { cause });
}
