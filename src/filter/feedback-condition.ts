import type { Condition } from './condition.ts';
import { any, exists, jsonTest } from './field-tests.ts';
import type { FieldTest } from './tree.ts';

/** `[type]` or `[type].path`, for types and values that have no short name. */
const IN_BRACKETS = /^\[([^[\]]+)\](?:\.(.+))?$/s;

/** Is this what may follow `feedback.`? */
export function isFeedbackPath(path: string): boolean {
  return IN_BRACKETS.test(path) || /^[^[\]]+$/.test(path);
}

/** What is asked of feedback holds when it does of any of that type. */
export function feedbackCondition(path: string, test: FieldTest): Condition {
  return any(valuePathsOf(path).map((each) => jsonTest(each, test)));
}

/** Without a path: is there any feedback? */
export function hasFeedback(path: string | undefined): Condition {
  return any(path === undefined ? [exists(payloadOf('*'))] : presencePathsOf(path).map(exists));
}

/** A name is that of a type, or what follows `svc.annotation.` or `svc.runnable.` in it. */
function valuePathsOf(path: string): string[] {
  const [, type, inner = 'value'] = IN_BRACKETS.exec(path) ?? [];
  if (type !== undefined) return [`${payloadOf(type)}.${inner}`];
  if (path === 'note') return [`${payloadOf('svc.note.1')}.note`];
  if (path === 'reaction') {
    return ['emoji', 'detoned', 'alias'].map((member) => `${payloadOf('svc.reaction.1')}.${member}`);
  }
  return [
    `${payloadOf(path)}.value`,
    `${payloadOf(path)}.${path.replaceAll('.', '\\.')}`,
    `${payloadOf(`svc.annotation.${path}`)}.value`,
    `${payloadOf(`svc.runnable.${path}`)}.output`,
  ];
}

function presencePathsOf(path: string): string[] {
  const [, type, inner] = IN_BRACKETS.exec(path) ?? [];
  if (type !== undefined) return [inner === undefined ? payloadOf(type) : `${payloadOf(type)}.${inner}`];
  if (path === 'note' || path === 'reaction') return [payloadOf(`svc.${path}.1`)];
  return [path, `svc.annotation.${path}`, `svc.runnable.${path}`].map(payloadOf);
}

function payloadOf(type: string): string {
  return `feedback.[${type}].payload`;
}
