import type { TransportAnswer } from './transport.ts';

const MAX_REASON = 300;
const MAX_TITLE = 80;
/** Whoever answers in the place of the service may send as much as he likes. */
const TITLE_WITHIN = 4096;

/** Names an answer to people: the reason that the service gives, else who seems to have answered in its place. */
export function nameAnswer(answer: TransportAnswer): string {
  const { reason } = (parseObject(answer.body) ?? {}) as { reason?: unknown };
  if (typeof reason === 'string') return `${answer.status}, ${reason.slice(0, MAX_REASON)}`;
  const { location } = answer.headers;
  if (location !== undefined) return `${answer.status}, redirected to "${withoutSecrets(location)}"`;
  return [answer.status, answer.headers['content-type'] ?? 'no content type', ...marksOf(answer)].join(', ');
}

export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** By what people know a proxy or a page. */
function marksOf({ headers: { server }, body }: TransportAnswer): readonly string[] {
  const title = /<title[^<>]*>([^<]*)/i.exec(body.slice(0, TITLE_WITHIN))?.[1]?.trim();
  return [
    ...(title ? [`page "${title.slice(0, MAX_TITLE)}"`] : []),
    ...(server === undefined ? [] : [`from "${server.slice(0, MAX_TITLE)}"`]),
  ];
}

/** Users and what is asked of a log-in page do not belong into messages. */
function withoutSecrets(address: string): string {
  return address.replace(/[?#].*$/s, '?…').replace(/\/\/[^/]*@/, '//…@');
}
