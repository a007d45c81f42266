/** Header by which a program says which process it is. It is for people only: nothing is decided by it. */
export const SENDER_HEADER = 'svc-sender';

/** A process that sends. */
export interface Sender {
  readonly host: string;
  /** Always above 0. */
  readonly pid: number;
}

/** As `host=build-7;pid=4711`; the host is percent-encoded, as any name may be one. */
export function formatSender({ host, pid }: Sender): string {
  return `host=${encodeURIComponent(host)};pid=${pid}`;
}

/** `undefined` for what is no sender. */
export function parseSender(text: string): Sender | undefined {
  const [, host, pid] = /^host=([\w.!~*'()%-]{1,1000});pid=([1-9]\d{0,9})$/.exec(text) ?? [];
  if (host === undefined || pid === undefined) return undefined;
  try {
    return { host: decodeURIComponent(host), pid: Number(pid) };
  } catch {
    return undefined;
  }
}
