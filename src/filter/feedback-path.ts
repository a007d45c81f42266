/** `[type]` or `[type].path`, for types and values that have no short name. */
const IN_BRACKETS = /^\[([^[\]]+)\](?:\.(.+))?$/s;

/** Is this what may follow `feedback.`? */
export function isFeedbackPath(path: string): boolean {
  return IN_BRACKETS.test(path) || /^[^[\]]+$/.test(path);
}

/** Fields of the values that are meant: a name is that of a type, or what follows `svc.annotation.` or `svc.runnable.` in it. */
export function valuePathsOf(path: string): string[] {
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

/** Fields that are there when there is such feedback, or any. */
export function presencePathsOf(path = '[*]'): string[] {
  const [, type, inner] = IN_BRACKETS.exec(path) ?? [];
  if (type !== undefined) return [inner === undefined ? payloadOf(type) : `${payloadOf(type)}.${inner}`];
  if (path === 'note' || path === 'reaction') return [payloadOf(`svc.${path}.1`)];
  return [path, `svc.annotation.${path}`, `svc.runnable.${path}`].map(payloadOf);
}

function payloadOf(type: string): string {
  return `feedback.[${type}].payload`;
}
