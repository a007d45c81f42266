import { TracingError } from '../../../protocol/error.ts';
import { isJsonObject } from '../../../protocol/values/json-object.ts';

/** A value with the classes its members tell. */
export interface ClassifiedValue {
  readonly val: unknown;
  readonly base: string | null;
  readonly leaf: string | null;
}

const BUILTIN_CLASSES = [
  'ActionSpec',
  'AlertSpec',
  'AnnotationSpec',
  'ComparisonView',
  'LLMStructuredCompletionModel',
  'Leaderboard',
  'Provider',
  'ProviderModel',
  'SavedView',
];

/** Finds the classes of a value; one of a builtin class gets the members that say so. */
export function classifyValue(val: unknown, builtinClass: string | null): ClassifiedValue {
  if (builtinClass !== null && !BUILTIN_CLASSES.includes(builtinClass)) {
    throw refuse(`"${builtinClass}" is no builtin class (${BUILTIN_CLASSES.join(', ')})`);
  }
  if (!isJsonObject(val)) {
    if (builtinClass !== null) throw refuse('a value of a builtin class must be an object');
    return { val, base: null, leaf: null };
  }
  const bases = modelBases(val['_bases']);
  if (bases) return classifyModel(val, bases, builtinClass);
  if (builtinClass === null) return { val, base: null, leaf: null };
  if (builtinClass === 'AnnotationSpec') checkAnnotationSpec(val);
  const marked = { ...val, _type: builtinClass, _class_name: builtinClass, _bases: ['BaseObject', 'BaseModel'] };
  return { val: marked, base: builtinClass, leaf: builtinClass };
}

/** Is this the value of an op? The vendor spells the key in its own way, and its values are stored as they are. */
export function isOpValue(val: unknown): boolean {
  if (!isJsonObject(val) || !('_type' in val)) return false;
  return [val['svc_type'], val['weave_type']].some((type) => isJsonObject(type) && type['type'] === 'Op');
}

/** Refuses custom values, at any depth, whose files would lie outside of their folder. */
export function checkFilePaths(value: unknown): void {
  if (Array.isArray(value)) value.forEach(checkFilePaths);
  if (!isJsonObject(value)) return;
  const isCustom = value['_type'] === 'CustomType' || value['_type'] === 'CustomWeaveType';
  if (isCustom && isJsonObject(value['files'])) Object.keys(value['files']).forEach(checkFilePath);
  Object.values(value).forEach(checkFilePaths);
}

function checkFilePath(path: string): void {
  const parts = path.split(/[/\\]/);
  const isRelative = path !== '' && parts[0] !== '' && !/^[A-Za-z]:/.test(path);
  if (isRelative && !parts.includes('..')) return;
  throw refuse(`the file path ${JSON.stringify(path.slice(0, 200))} is not relative or leads outside`);
}

function modelBases(bases: unknown): string[] | undefined {
  if (!Array.isArray(bases) || bases.length < 2 || !bases.every((base) => typeof base === 'string')) return undefined;
  const isModel = bases.at(-1) === 'BaseModel' && ['Object', 'BaseObject'].includes(bases.at(-2) ?? '');
  return isModel ? bases : undefined;
}

function classifyModel(val: Record<string, unknown>, bases: string[], builtinClass: string | null): ClassifiedValue {
  const leaf = val['_class_name'];
  if (typeof leaf !== 'string') throw refuse('a value with _bases must have a _class_name');
  if (builtinClass !== null && builtinClass !== leaf) {
    throw refuse(`its _class_name is "${leaf}", not the builtin class "${builtinClass}"`);
  }
  return { val, leaf, base: bases.at(-3) ?? leaf };
}

/** Types wanted of the members of an annotation spec that are there. */
const ANNOTATION_SPEC: Readonly<Record<string, (member: unknown) => boolean>> = {
  name: (member) => typeof member === 'string',
  description: (member) => typeof member === 'string',
  field_schema: isJsonObject,
  unique_among_creators: (member) => typeof member === 'boolean',
  op_scope: (member) => Array.isArray(member) && member.every((name) => typeof name === 'string'),
};

function checkAnnotationSpec(val: Record<string, unknown>): void {
  for (const [name, isRight] of Object.entries(ANNOTATION_SPEC)) {
    const member = val[name] ?? null;
    if (member !== null && !isRight(member)) throw refuse(`"${name}" of an AnnotationSpec has the wrong type`);
  }
}

function refuse(reason: string): TracingError {
  return new TracingError('invalid_request', `Cannot create the object: ${reason}`);
}
