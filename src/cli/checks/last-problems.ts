import { type KeptProblem, readProblems } from '../../spool/problem-file.ts';
import { isSameAddress } from '../known-service.ts';
import { formatCount, formatDuration, formatTime } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { adviceFor } from './advice.ts';
import type { Answering } from './service-check.ts';
import type { Finding } from './finding.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Older kinds are in the JSON only. */
const MAX_FINDINGS = 6;
const MAX_PROJECTS = 3;
const MAX_MESSAGE_CHARACTERS = 300;

/** The present state, as far as it is known to be well. */
export interface Present {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The service that answered a moment ago. */
  readonly answering: Answering | undefined;
  /** Can records wait on disk? */
  readonly canKeep: boolean;
}

/** The problems that programs of this state folder told in the last 24 hours, newest first. */
export function recentProblems(home: string, now: number): KeptProblem[] {
  const isRecent = ({ at }: KeptProblem) => now - Date.parse(at) < DAY_MS;
  return readProblems(home).filter(isRecent).toReversed();
}

/** One finding for each kind, and for each library that has it: what it was, how often and when last, if it is over, and what to do. */
export function checkLastProblems(recent: readonly KeptProblem[], present: Present): Finding[] {
  const kinds = new Map<string, [KeptProblem, ...KeptProblem[]]>();
  for (const problem of recent) {
    const name = nameOf(problem);
    const known = kinds.get(name);
    if (known === undefined) kinds.set(name, [problem]);
    else known.push(problem);
  }
  if (kinds.size === 0) return [{ level: 'ok', about: 'last problems', message: 'none in the last 24 hours' }];
  const findings = [...kinds.values()].slice(0, MAX_FINDINGS).map((problems) => describe(problems, present));
  const rest = [...kinds.keys()].slice(MAX_FINDINGS).map((name) => toLine(name));
  if (rest.length === 0) return findings;
  return [...findings, { level: 'warning', about: 'last problems', message: `and ${rest.join(', ')}: see --json` }];
}

function nameOf({ kind, subject }: KeptProblem): string {
  return subject === undefined ? kind : `${kind} of ${subject}`;
}

/** Of one kind and library, newest first. */
type Occurrences = readonly [KeptProblem, ...KeptProblem[]];

function describe(problems: Occurrences, present: Present): Finding {
  const [newest] = problems;
  const end = reasonItIsOver(problems, present);
  const facts = [
    toLine(nameOf(newest)),
    ...(end === undefined ? [] : [`over: ${end}`]),
    ...countsOf(problems),
    whenOf(problems, present),
  ];
  const text = `${facts.join(', ')} in ${projectsOf(problems)}: ${toLine(newest.message, MAX_MESSAGE_CHARACTERS)}`;
  if (end !== undefined) return { level: 'ok', about: 'last problems', message: text };
  const advice = adviceNow(problems, present);
  return { level: 'warning', about: 'last problems', message: text, ...(advice !== undefined && { advice }) };
}

/** Each program tells a kind once a minute at most. */
function countsOf(problems: Occurrences): string[] {
  const records = problems.reduce((sum, { count }) => sum + count, 0);
  const told = problems.length === 1 ? 'told once' : `told ${formatCount(problems.length)} times`;
  if (records === 0) return [told];
  return [told, records === 1 ? '1 record' : `${formatCount(records)} records`];
}

function whenOf([{ at }]: Occurrences, { now }: Present): string {
  const time = Date.parse(at);
  return `last ${formatDuration(Math.max(0, now - time) * 1000)} ago (${formatTime(time * 1000)})`;
}

function projectsOf(problems: Occurrences): string {
  const projects = [...new Set(problems.map(({ project }) => project))];
  const rest = projects.length > MAX_PROJECTS ? [`${projects.length - MAX_PROJECTS} more`] : [];
  return [...projects.slice(0, MAX_PROJECTS), ...rest].join(', ');
}

/** `undefined` where it goes on, or nobody can tell. */
function reasonItIsOver(problems: Occurrences, { answering, canKeep }: Present): string | undefined {
  const [{ kind }] = problems;
  const isAnswering = (kind === 'unreachable' || kind === 'wrong-address') && isOf(problems, answering);
  if (isAnswering) return 'the service answers now';
  return kind === 'spool-unwritable' && canKeep ? 'the folder can be written now' : undefined;
}

/** The key that a program had is not kept, so nobody can know that its problem is over. */
function adviceNow(problems: Occurrences, { answering }: Present): string | undefined {
  const [{ kind }] = problems;
  const isOurKeyGood = kind === 'key-refused' && answering?.isKeyAccepted === true && isOf(problems, answering);
  if (!isOurKeyGood) return adviceFor(kind);
  return 'The key of this check is accepted there: give the program the same, as SPOOR_API_KEY';
}

function isOf(problems: Occurrences, answering: Answering | undefined): boolean {
  return answering !== undefined && problems.every(({ url }) => url !== undefined && isSameAddress(url, answering.url));
}
