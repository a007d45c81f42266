const ID = /^[A-Za-z0-9._~:@-]{1,128}$/;
/** Clients name threads by whatever their programs name conversations by: questions, addresses, several lines. */
const THREAD_ID = /^.{1,1024}$/su;
// Control characters are among what a project may not be called.
// oxlint-disable-next-line no-control-regex
const PROJECT_PART = /^(?! )[^/:%?#\\\u0000-\u001f\u007f-\u009f\p{Cs}]{1,128}(?<! )$/u;
const OBJECT_ID = /^[\p{L}\p{N}_.-]{1,128}$/u;

/** Is this a call, trace, turn, feedback or cost id? */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** The W3C span id of a call: the last 16 hexadecimal digits of its id. */
export function spanIdOf(callId: string): string {
  return callId.replaceAll('-', '').slice(-16);
}

/** Is this the id of a thread or a turn: any text of 1 to 1,024 characters, control characters too? */
export function isThreadId(text: string): boolean {
  return THREAD_ID.test(text);
}

/** Is this `<entity>/<project>`, each part 1 to 128 characters without `/ : % ? # \`, control characters and halves of surrogate pairs? */
export function isProjectId(text: string): boolean {
  const parts = text.split('/');
  return parts.length === 2 && parts.every((part) => PROJECT_PART.test(part));
}

/** Is this an object name: letters, digits, `_`, `.`, `-`, at most 128 characters? */
export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/**
 * The object name closest to `text`: runs of other characters become one `-`, runs of two or more of `. _ -`
 * become `-`, leading and trailing `-` and `_` are cut, at most 128 characters. Empty when nothing is left.
 */
export function toObjectId(text: string): string {
  const name = text
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replace(/[._-]{2,}/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
  return [...name].slice(0, 128).join('');
}
