/**
 * Header by which a program says which process it is. It gives no rights: by it the service tells programs apart that it
 * lists, and whether one of its own machine still runs.
 */
export const SENDER_HEADER = 'svc-sender';

/** As long as a name of the network may be. */
const MAX_HOST_CHARACTERS = 255;

/** A process that sends. */
export interface Sender {
  readonly host: string;
  /** Always above 0. */
  readonly pid: number;
  /** When it began, in clock ticks since its machine did: a later process may have its number. */
  readonly started?: number | undefined;
  /** Where the number counts: the namespace of processes on Linux, 0 where a system has none. */
  readonly namespace?: number | undefined;
}

/** As `host=build-7;pid=4711;pid_started=9311;pid_namespace=4026531836`; the host is percent-encoded, as any name may be one. */
export function formatSender({ host, pid, started, namespace }: Sender): string {
  const more = [
    ...(started === undefined ? [] : [`;pid_started=${started}`]),
    ...(namespace === undefined ? [] : [`;pid_namespace=${namespace}`]),
  ];
  return `host=${encodeURIComponent(host)};pid=${pid}${more.join('')}`;
}

/** A character of a host takes nine when it is percent-encoded. Other parts may follow those that are known. */
const SENDER =
  /^host=([\w.!~*'()%-]{1,2295});pid=([1-9]\d{0,9})(?:;pid_started=(\d{1,15}))?(?:;pid_namespace=(\d{1,15}))?(?:;|$)/;

/** `undefined` for what is no sender. */
export function parseSender(text: string): Sender | undefined {
  const [, host, pid, started, namespace] = SENDER.exec(text) ?? [];
  if (host === undefined) return undefined;
  try {
    const numbers = { pid: Number(pid), pid_started: numberOf(started), pid_namespace: numberOf(namespace) };
    return senderIn({ host: decodeURIComponent(host), ...numbers });
  } catch {
    return undefined;
  }
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** The process that a record names by its members, of which `host` and `pid` must be there; `undefined` where it names none. */
export function senderIn(record: Readonly<Record<string, unknown>>): Sender | undefined {
  const { host, pid: said } = record;
  const pid = countOf(said);
  // Numbers below 1 mean groups of processes.
  if (typeof host !== 'string' || host.length > MAX_HOST_CHARACTERS || pid === undefined || pid === 0) return undefined;
  return { host, pid, started: countOf(record['pid_started']), namespace: countOf(record['pid_namespace']) };
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
