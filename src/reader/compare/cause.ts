import type { Call } from '../../protocol/call.ts';
import { opNameOf } from '../../protocol/ref.ts';
import { refIn } from './compared-text.ts';
import { type OwnValues, withoutOwnWords } from './own-values.ts';
import { settingIn } from './settings.ts';
import { type Sides, type ValueChange, valueChanges } from './value-changes.ts';

/** An op or object whose version differs; versions are digests. */
export interface VersionChange {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

/** A reference in the inputs that names another version of the same object. */
export interface ObjectChange extends VersionChange {
  /** Absent for tables, which are named by their digests alone. */
  readonly kind: 'object' | 'op' | 'table';
  readonly path: ValueChange['path'];
}

/** The first of these in which two calls differ, in this order; `changes` of an object are what differs beside it. */
export type Cause =
  | { readonly kind: 'code'; readonly version: VersionChange }
  | { readonly kind: 'object'; readonly objects: readonly ObjectChange[]; readonly changes: readonly ValueChange[] }
  | { readonly kind: 'input'; readonly changes: readonly ValueChange[] }
  | { readonly kind: 'model' | 'settings'; readonly changes: readonly ValueChange[] }
  | { readonly kind: 'output'; readonly changes: readonly ValueChange[]; readonly ends: Ends };

/** How both calls came to their ends. */
export interface Ends {
  readonly a: CallEnding;
  readonly b: CallEnding;
}

export type CallEnding = 'returned' | 'failed' | 'open';

/** Two calls of one op, with what is known of them beside. */
export interface CallPair {
  readonly a: Call;
  readonly b: Call;
  readonly own: Sides;
  readonly hasSameInputs: boolean;
  /** Models that they used themselves, none below them. */
  readonly models: { readonly a: readonly string[]; readonly b: readonly string[] };
}

/** `undefined` where they differ in nothing but times, ids and numbers of use. */
export function causeOf(pair: CallPair): Cause | undefined {
  return codeCause(pair) ?? inputCause(pair) ?? settingsCause(pair) ?? outputCause(pair);
}

function codeCause({ a, b }: CallPair): Cause | undefined {
  const [from, to] = [opVersionOf(a), opVersionOf(b)];
  // An op that is recorded by its plain name has no version that could be another.
  if (from === undefined || to === undefined || from === to) return undefined;
  return { kind: 'code', version: { name: opNameOf(b.op_name), a: from, b: to } };
}

function opVersionOf({ op_name: name }: Call): string | undefined {
  const ref = refIn(name);
  return ref?.kind === 'op' ? ref.version : undefined;
}

function inputCause(pair: CallPair): Cause | undefined {
  if (pair.hasSameInputs) return undefined;
  const changes = valueChanges(pair.a.inputs, pair.b.inputs, pair.own);
  if (changes.length === 0) return undefined;
  const objects = changes.flatMap((change) => objectChange(change) ?? []);
  const others = changes.filter((change) => objectChange(change) === undefined);
  if (objects.length > 0) return { kind: 'object', objects, changes: others };
  const kinds = changes.map((change) => settingIn(change, isRequest(pair)));
  if (kinds.includes(undefined)) return { kind: 'input', changes };
  return { kind: kinds.includes('model') ? 'model' : 'settings', changes };
}

function objectChange({ path, a, b }: ValueChange): ObjectChange | undefined {
  const [from, to] = [refIn(a), refIn(b)];
  if (from?.kind === 'table' && to?.kind === 'table') {
    return from.digest === to.digest ? undefined : { kind: 'table', name: '', a: from.digest, b: to.digest, path };
  }
  if (from === undefined || to === undefined || !('version' in from) || !('version' in to)) return undefined;
  if (from.kind !== to.kind || from.name !== to.name || from.version === to.version) return undefined;
  return { kind: to.kind, name: to.name, a: from.version, b: to.version, path };
}

function isRequest({ b }: CallPair): boolean {
  const { kind } = b.attributes;
  return kind === 'llm' || kind === 'embedding';
}

/** Settings that stand beside the inputs: in attributes, and the model that was used as its provider names it. */
function settingsCause(pair: CallPair): Cause | undefined {
  const changes = valueChanges(attributesOf(pair.a), attributesOf(pair.b), pair.own);
  const settings = changes.filter((change) => settingIn(change, isRequest(pair)) !== undefined);
  const { a, b } = pair.models;
  // A call that failed has used none.
  const isOther = a.length > 0 && b.length > 0 && a.join('\n') !== b.join('\n');
  const models: ValueChange[] = isOther ? [{ path: ['model'], a: a.join(', '), b: b.join(', ') }] : [];
  const all = [...models, ...settings];
  if (all.length === 0) return undefined;
  const isModel = isOther || settings.some((change) => settingIn(change, true) === 'model');
  return { kind: isModel ? 'model' : 'settings', changes: all };
}

/** Those of the program. */
function attributesOf({ attributes }: Call): object {
  const { svc: _process, otel_span: _span, ...own } = attributes;
  return own;
}

function outputCause({ a, b, own }: CallPair): Cause | undefined {
  const ends: Ends = { a: endingOf(a), b: endingOf(b) };
  const hasOtherEnd = ends.a !== ends.b || errorText(a, own.a) !== errorText(b, own.b);
  const changes = valueChanges(a.output, b.output, own);
  return hasOtherEnd || changes.length > 0 ? { kind: 'output', changes, ends } : undefined;
}

function endingOf({ exception, ended_at: end }: Call): CallEnding {
  if (exception !== null) return 'failed';
  return end === null ? 'open' : 'returned';
}

/** Without the places in the program, which move with every line that is written above them. */
function errorText({ exception }: Call, own: OwnValues): string | undefined {
  return exception === null ? undefined : withoutOwnWords(exception.replaceAll(/^[ \t]+at .*$/gm, '').trim(), own);
}
