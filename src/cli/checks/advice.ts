import type { ProblemKind } from '../../delivery/problem.ts';

/** Kinds that programs tell most; what is wrong about a single call says in its message what to do. */
type AdvisedKind =
  | ProblemKind
  | 'server-file-refused'
  | 'lost-at-exit'
  | 'feedback-lost'
  | 'environment'
  | 'already-started'
  | CaptureKind;

type CaptureKind = 'capture-changed' | 'capture-partial' | 'capture-too-early';

/** The advice for a problem of a program, by its kind. `docs/guides/delivery.md` has a line for each. */
export const ADVICE: Readonly<Record<AdvisedKind, string>> = {
  'key-refused': 'Set SPOOR_API_KEY to a key of "spoor keys create" there; until then records wait on disk',
  'wrong-address': 'Correct SPOOR_URL: no trace service answers there; until then records wait on disk',
  unreachable: 'Start that service, or correct SPOOR_URL; until then records wait on disk',
  blocked:
    'Let the proxy or firewall before the service pass it, such as bodies up to 8 MiB; until then it waits on disk',
  'record-refused': 'Bring both sides to the same version, or raise the limit that is named ("spoor serve --limits")',
  'object-refused': 'Bring both sides to the same version, or raise the limit that is named ("spoor serve --limits")',
  unencodable: 'Record less of that call: the options inputs and output of traced() map what is recorded',
  'queue-full': 'Let the disk take what memory does not hold, raise SPOOR_QUEUE_BYTES, or record less (SPOOR_SAMPLE)',
  'spool-full': 'Keep a service running, or raise SPOOR_SPOOL_BYTES',
  'spool-damaged':
    'Leave the files below spool/ to programs and the service, and share the folder with no other machine',
  'spool-unreadable': 'Look at the state folder and its disk; they are tried again, and nothing of it is removed',
  'spool-unwritable': 'Make the state folder writable and room on its disk, or set SPOOR_HOME to another folder',
  'server-file-refused':
    'Close the state folder to other users (chmod 700) and start the service again, or set SPOOR_URL and SPOOR_API_KEY',
  'lost-at-exit': 'They cannot be had back; the reasons say what to change for the next ones',
  'feedback-lost': 'Send it again while the service answers: feedback does not wait on disk',
  environment: 'Correct that variable, or unset it',
  'already-started': 'Call init() once, before the first traced call, or after shutdown()',
  'capture-changed': 'Use a version of that library that "spoor doctor" calls tested, or a newer one of Spoor',
  'capture-partial': 'Wrap what is named with traced(): it is exported in a way that cannot be recorded by itself',
  'capture-too-early':
    'Start with "node --import spoor/register" before any other --import, or wrap the client (wrapOpenAI, wrapAnthropic)',
  internal: 'That is a mistake of Spoor: please report it with this line',
};

export function adviceFor(kind: string): string | undefined {
  return Object.hasOwn(ADVICE, kind) ? ADVICE[kind as AdvisedKind] : undefined;
}
