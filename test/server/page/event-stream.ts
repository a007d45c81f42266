/** One event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** A stream of events that is read one by one. */
export interface EventStream {
  /** The next event; undefined when the stream is over. */
  next(): Promise<StreamEvent | undefined>;
  close(): Promise<void>;
}

export async function openEvents(url: string, headers: Record<string, string>): Promise<EventStream> {
  const response = await fetch(url, { headers });
  if (response.status !== 200 || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<StreamEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const event = parseEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) return event;
        continue;
      }
      const chunk = await reader.read();
      if (chunk.done) return undefined;
      text += decoder.decode(chunk.value, { stream: true });
    }
  };
  return { next, close: async () => await reader.cancel() };
}

/** Comments are no events. */
function parseEvent(block: string): StreamEvent | undefined {
  const lines = block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  const fields = new Map(lines.map(([name = '', value = '']) => [name, value]));
  const [event, data] = [fields.get('event'), fields.get('data')];
  if (event === undefined || data === undefined) return undefined;
  return { event, id: fields.get('id'), data: JSON.parse(data) };
}
