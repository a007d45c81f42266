import { isRunId, mayBeginRunId } from '../protocol/process-run.ts';
import { formatObjectRef } from '../protocol/ref.ts';
import { isObjectId } from '../protocol/values/id.ts';
import { type BeyondTest, type Condition, type NumberTest } from './condition.ts';
import { presencePathsOf, valuePathsOf } from './feedback-path.ts';
import {
  all,
  any,
  beginsWith,
  compared,
  contains,
  exists,
  isOneOf,
  isText,
  jsonContains,
  jsonTest,
  numberTest,
  numberTests,
  textOf,
  textTest,
  textValueTest,
  valuesOf,
} from './field-tests.ts';
import { KINDS, type NamedField } from './fields.ts';
import { instantText } from './instant.ts';
import { type Clock, type StartedPeriod, startedPeriods } from './started-period.ts';
import type { FieldNode, FieldTest, FilterTree, FilterValue } from './tree.ts';

export interface FilterContext extends Clock {
  /** `<entity>/<project>`: ops and runs are recorded with it. */
  readonly projectId: string;
}

/** The condition of a tree on a call. */
export function conditionOf(tree: FilterTree, context: FilterContext): Condition {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return { kind: tree.kind, parts: tree.parts.map((part) => conditionOf(part, context)) };
    case 'not':
      return { kind: 'not', part: conditionOf(tree.part, context) };
    case 'words':
      return any([jsonContains('inputs', tree.text), jsonContains('output', tree.text)]);
    case 'field':
      return fieldCondition(tree, context);
  }
}

/** Every version of an op is recorded under a reference that begins so. */
export function opRefStart(op: string, projectId: string): string | undefined {
  return isObjectId(op) ? formatObjectRef(projectId, 'op', op, '*').slice(0, -'*'.length) : undefined;
}

function fieldCondition(node: FieldNode, context: FilterContext): Condition {
  const { test } = node;
  switch (node.field) {
    case 'op':
      return any(valuesOf(test).map((value) => opCondition(value, context)));
    case 'status':
      return any(valuesOf(test).map((value) => stateCondition(textOf(value))));
    case 'model':
      return any(valuesOf(test).map(modelCondition));
    case 'kind':
      return any(valuesOf(test).map((value) => kindCondition(textOf(value))));
    case 'run':
      return any(valuesOf(test).map((value) => runCondition(value, context)));
    case 'error':
      return any(valuesOf(test).map((value) => contains('exception', textOf(value))));
    case 'tokens':
    case 'tokens.in':
    case 'tokens.out':
      return numberTests(test, (operator, value) => beyond(tokensTest(node.field, { operator, value })));
    case 'cost':
      return numberTests(test, (operator, value) => beyond({ kind: 'cost', operator, value }));
    case 'latency':
      return numberTest('summary.svc.latency_ms', test);
    case 'started':
      return any(startedPeriods(test, context).map(periodCondition));
    case 'feedback':
      return any(valuePathsOf(node.path ?? '').map((path) => jsonTest(path, test)));
    case 'roots':
      return any(valuesOf(test).map((value) => rootsCondition(textOf(value) === 'yes')));
    case 'has':
      return any(valuesOf(test).map(hasCondition));
    default:
      return pathCondition(node, test);
  }
}

const TEXT_PATHS: Readonly<Record<string, string>> = {
  thread: 'thread_id',
  user: 'attributes.user',
  trace: 'trace_id',
  name: 'summary.svc.trace_name',
};

function pathCondition(named: NamedField, test: FieldTest): Condition {
  const textPath = TEXT_PATHS[named.field];
  if (textPath !== undefined) return textTest(textPath, test);
  const path = wirePath(named);
  if (named.path !== undefined) return jsonTest(path, test);
  return any(valuesOf(test).map((value) => jsonContains(path, textOf(value))));
}

const COLUMNS: Readonly<Record<string, string>> = {
  attr: 'attributes',
  input: 'inputs',
  output: 'output',
  summary: 'summary',
};

/** In paths of queries a backslash stands before dots only. */
function wirePath({ field, path }: NamedField): string {
  const column = COLUMNS[field] ?? field;
  return path === undefined ? column : `${column}.${path.replaceAll(/\\([^.])/g, '$1')}`;
}

function opCondition(value: FilterValue, { projectId }: FilterContext): Condition {
  const op = textOf(value);
  const start = opRefStart(op, projectId);
  const isPrefix = value.kind === 'beginning';
  const own = isPrefix ? beginsWith('op_name', op) : isText('op_name', op);
  // Of a reference that begins like an op, the name may go on.
  return start === undefined ? own : any([own, beginsWith('op_name', isPrefix ? start.slice(0, -':'.length) : start)]);
}

const STATUSES: Readonly<Record<string, string>> = { ok: 'success', error: 'error', descendant: 'descendant_error' };

/** The service counts what never ended among what is running. */
function stateCondition(state: string): Condition {
  const path = 'summary.svc.status';
  const status = STATUSES[state];
  if (status !== undefined) return isText(path, status);
  const shown = state === 'never' ? 'never_ended' : 'running';
  return all([isText(path, 'running'), beyond({ kind: 'state', state: shown })]);
}

function modelCondition(value: FilterValue): Condition {
  if (value.kind === 'beginning' || value.kind === 'part') {
    return beyond({ kind: 'model', match: value.kind, text: value.text });
  }
  return exists(`summary.usage.${textOf(value).replaceAll('.', '\\.')}`);
}

function kindCondition(kind: string): Condition {
  if (kind !== 'other') return isText('attributes.kind', kind);
  return { kind: 'not', part: isOneOf('attributes.kind', KINDS) };
}

/** Runs of one's own are recorded with their project, which people leave out; those of processes have ids of a form of their own. */
function runCondition(value: FilterValue, { projectId }: FilterContext): Condition {
  const run = textOf(value);
  if (value.kind !== 'beginning' && isRunId(run)) return textValueTest('process_run', value);
  const own = ownRunCondition(run, value, projectId);
  const isOfProcess = value.kind === 'beginning' && mayBeginRunId(run);
  return isOfProcess ? any([own, textValueTest('process_run', value)]) : own;
}

function ownRunCondition(run: string, value: FilterValue, projectId: string): Condition {
  const names = run.includes('/') ? [run] : [run, `${projectId}/${run}`];
  return any(names.map((text) => textValueTest('svc_run_id', { ...value, text } as FilterValue)));
}

function tokensTest(field: string, test: NumberTest): BeyondTest {
  const bucket = field === 'tokens' ? 'total' : field === 'tokens.in' ? 'input' : 'output';
  return { kind: 'tokens', bucket, ...test };
}

function periodCondition({ after, before }: StartedPeriod): Condition {
  const from = after === undefined ? [] : [compared('started_at', '>=', instantText(after))];
  const to = before === undefined ? [] : [compared('started_at', '<', instantText(before))];
  return all([...from, ...to]);
}

function rootsCondition(isRoot: boolean): Condition {
  const root: Condition = { kind: 'test', test: { $eq: [{ $getField: 'parent_id' }, { $literal: null }] } };
  return isRoot ? root : { kind: 'not', part: root };
}

const PRESENT: Readonly<Record<string, string>> = {
  error: 'exception',
  thread: 'thread_id',
  user: 'attributes.user',
  run: 'svc_run_id',
  latency: 'ended_at',
};

function hasCondition(value: FilterValue): Condition {
  if (value.kind !== 'field') throw new Error('Only fields can be there or not');
  const { named } = value;
  switch (named.field) {
    case 'feedback':
      return any(presencePathsOf(named.path).map(exists));
    case 'model':
    case 'tokens':
    case 'tokens.in':
    case 'tokens.out':
      return all([exists('summary.usage'), notEmpty('summary.usage')]);
    case 'cost':
      return beyond({ kind: 'priced' });
    case 'input':
      return named.path === undefined ? notEmpty('inputs') : exists(wirePath(named));
    default:
      return exists(PRESENT[named.field] ?? wirePath(named));
  }
}

function notEmpty(path: string): Condition {
  const test: Condition = {
    kind: 'test',
    test: { $eq: [{ $getField: path }, { $literal: {} }] },
    nullOperand: { $getField: path },
  };
  return { kind: 'not', part: test };
}

function beyond(test: BeyondTest): Condition {
  return { kind: 'beyond', test };
}
