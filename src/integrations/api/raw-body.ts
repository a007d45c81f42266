import type { Fold } from './fold.ts';

/** The rule that makes a value of a body that the program reads by itself. */
export interface BodyRule {
  readonly newFold: (() => Fold) | undefined;
  readonly onValue: (value: unknown) => void;
}

/** How to record the body of a response that was asked for as it is; `undefined`: as that of any other. */
export function aggregateFor(response: unknown, rule: BodyRule): ((chunks: readonly unknown[]) => unknown) | undefined {
  const type = contentTypeOf(response);
  const { newFold } = rule;
  if (type.includes('json')) return (chunks) => valueOf(joined(chunks), rule, (text) => JSON.parse(text) as unknown);
  if (!type.startsWith('text/event-stream') || newFold === undefined) return undefined;
  return (chunks) => valueOf(joined(chunks), rule, (text) => foldEvents(text, newFold()));
}

/** Of a long body only the beginning and the end are there. */
function valueOf(text: string, { onValue }: BodyRule, parse: (text: string) => unknown): unknown {
  try {
    const value = parse(text);
    onValue(value);
    return value;
  } catch {
    return text;
  }
}

function contentTypeOf(response: unknown): string {
  const { headers } = response as Partial<Response>;
  return headers?.get('content-type') ?? '';
}

function joined(chunks: readonly unknown[]): string {
  const decoder = new TextDecoder();
  return chunks
    .map((chunk) => (chunk instanceof Uint8Array ? decoder.decode(chunk, { stream: true }) : String(chunk)))
    .join('');
}

function foldEvents(text: string, fold: Fold): unknown {
  for (const event of text.split(/\r?\n\r?\n/)) {
    const data = event
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
      .join('\n');
    if (data.startsWith('{')) fold.add(JSON.parse(data));
  }
  return fold.value();
}
