/** How the values of a field are written. */
export type ValueKind = 'text' | 'choice' | 'count' | 'money' | 'duration' | 'time' | 'json' | 'field';

/** The places where `*` may stand in a value: its end, or both ends too. */
export type Wildcard = 'none' | 'end' | 'both';

export interface FieldDefinition {
  readonly name: string;
  readonly takes: ValueKind;
  /** Whether something follows the name, as in `attr.tenant`. @default 'none' */
  readonly path?: 'required' | 'optional';
  /** @default 'none' */
  readonly wildcard?: Wildcard;
  /** Texts that may be written, each with the other spellings that are read as it. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** One sentence for suggestions. */
  readonly meaning: string;
  readonly example: string;
}

export const KINDS = ['llm', 'tool', 'agent', 'retriever', 'chain', 'embedding', 'scorer'] as const;

const STATES = {
  ok: ['success'],
  error: ['failed'],
  running: [],
  never: ['never_ended'],
  descendant: ['descendant_error'],
} as const;

/** Every field of the language, in the order in which pages list them. */
export const FILTER_FIELDS = [
  { name: 'op', takes: 'text', wildcard: 'end', meaning: 'name of the op, any version', example: 'op:answer*' },
  { name: 'status', takes: 'choice', choices: STATES, meaning: 'how it went', example: 'status:error,running' },
  {
    name: 'model',
    takes: 'text',
    wildcard: 'both',
    meaning: 'model it or a call below used',
    example: 'model:gpt-4o*',
  },
  {
    name: 'kind',
    takes: 'choice',
    choices: { ...Object.fromEntries(KINDS.map((kind) => [kind, []])), other: [] },
    meaning: 'kind of the call',
    example: 'kind:llm',
  },
  { name: 'thread', takes: 'text', wildcard: 'both', meaning: 'id of the thread', example: 'thread:chat-7' },
  { name: 'user', takes: 'text', wildcard: 'both', meaning: 'the end user', example: 'user:ada' },
  {
    name: 'run',
    takes: 'text',
    wildcard: 'end',
    meaning: 'id of the run of its process, or your own',
    example: 'run:nightly',
  },
  { name: 'trace', takes: 'text', wildcard: 'both', meaning: 'id of the trace', example: 'trace:0199c8f0*' },
  { name: 'error', takes: 'text', meaning: 'text that the error has', example: 'error:"550 mailbox"' },
  { name: 'name', takes: 'text', wildcard: 'both', meaning: 'name under which it is shown', example: 'name:*refund*' },
  {
    name: 'attr',
    takes: 'json',
    path: 'required',
    wildcard: 'both',
    meaning: 'attribute at a path',
    example: 'attr.tenant:acme',
  },
  {
    name: 'input',
    takes: 'json',
    path: 'optional',
    wildcard: 'both',
    meaning: 'input at a path; without one, text in the inputs',
    example: 'input.page>3',
  },
  {
    name: 'output',
    takes: 'json',
    path: 'optional',
    wildcard: 'both',
    meaning: 'output at a path; without one, text in it',
    example: 'output.ok:false',
  },
  {
    name: 'summary',
    takes: 'json',
    path: 'required',
    wildcard: 'both',
    meaning: 'summary at a path',
    example: 'summary.stream.chunks>100',
  },
  { name: 'tokens', takes: 'count', meaning: 'tokens, with those below', example: 'tokens>10k' },
  { name: 'tokens.in', takes: 'count', meaning: 'tokens that went in', example: 'tokens.in>=4000' },
  { name: 'tokens.out', takes: 'count', meaning: 'tokens that came out', example: 'tokens.out<100' },
  { name: 'cost', takes: 'money', meaning: 'US dollars, with calls below', example: 'cost>=0.01' },
  { name: 'latency', takes: 'duration', meaning: 'time from start to end', example: 'latency:1s..5s' },
  { name: 'started', takes: 'time', meaning: 'when it started', example: 'started:24h' },
  {
    name: 'feedback',
    takes: 'json',
    path: 'required',
    wildcard: 'both',
    meaning: 'feedback of a type',
    example: 'feedback.score<0.5',
  },
  {
    name: 'roots',
    takes: 'choice',
    choices: { yes: ['true'], no: ['false'] },
    meaning: 'whether it has no parent',
    example: 'roots:yes',
  },
  { name: 'has', takes: 'field', meaning: 'whether a field has any value', example: 'has:feedback' },
] as const satisfies readonly FieldDefinition[];

export type FieldName = (typeof FILTER_FIELDS)[number]['name'];

/** Fields that `has:` takes; all others are always there, or have `is` values that say the same. */
export const OPTIONAL_FIELDS: readonly FieldName[] = [
  'error',
  'feedback',
  'model',
  'thread',
  'user',
  'run',
  'attr',
  'input',
  'output',
  'summary',
  'tokens',
  'tokens.in',
  'tokens.out',
  'cost',
  'latency',
];

/** A field with the path that followed it. */
export interface NamedField {
  readonly field: FieldName;
  /** Parts as they were written: `\.` is a dot inside a part. */
  readonly path?: string;
}

const BY_NAME: ReadonlyMap<string, FieldDefinition & { readonly name: FieldName }> = new Map(
  FILTER_FIELDS.map((definition) => [definition.name, definition]),
);

export function definitionOf(field: FieldName): FieldDefinition {
  const definition = BY_NAME.get(field);
  if (definition === undefined) throw new RangeError(`Cannot find field "${field}": there is none of that name`);
  return definition;
}

/** The field that is written so, in any case; `undefined` when there is none, or its path is missing or too much. */
export function findField(text: string): NamedField | undefined {
  const whole = BY_NAME.get(text.toLowerCase());
  if (whole !== undefined) return whole.path === 'required' ? undefined : { field: whole.name };
  const dot = text.indexOf('.');
  const root = dot < 0 ? undefined : BY_NAME.get(text.slice(0, dot).toLowerCase());
  if (root?.path === undefined || dot === text.length - 1) return undefined;
  return { field: root.name, path: text.slice(dot + 1) };
}

/** The field as it is written. */
export function nameOf({ field, path }: NamedField): string {
  return path === undefined ? field : `${field}.${path}`;
}

/** Conditions that order values, `>` and ranges, make sense for these only. */
export function isOrdered({ field, path }: NamedField): boolean {
  const { takes } = definitionOf(field);
  return takes === 'json' ? path !== undefined : ['count', 'money', 'duration', 'time'].includes(takes);
}

/** Does the field search a text, where others compare a value? */
export function isSearch({ field, path }: NamedField): boolean {
  return field === 'error' || (definitionOf(field).path === 'optional' && path === undefined);
}
