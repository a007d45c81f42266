/** How long a service that refused a stream is left alone, at first and at most. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

export interface SourceListeners {
  readonly onEvent: (name: string, data: string) => void;
  readonly onOpen: () => void;
  readonly onLost: () => void;
}

/**
 * A stream of events that is opened again whenever it ends, behind the last event that came. Browsers do so when a connection
 * breaks, but never again once they were answered anything but 200, as by a proxy whose service is being started anew.
 *
 * @returns what closes it
 */
export function openLastingSource(
  address: string,
  names: readonly string[],
  { onEvent, onOpen, onLost }: SourceListeners,
): () => void {
  let source: EventSource;
  let lastId = '';
  let pauseMs = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    const opened = new EventSource(lastId === '' ? address : `${address}&cursor=${encodeURIComponent(lastId)}`);
    source = opened;
    for (const name of names) {
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        lastId = lastEventId || lastId;
        onEvent(name, data);
      });
    }
    opened.addEventListener('open', () => {
      pauseMs = FIRST_PAUSE_MS;
      onOpen();
    });
    opened.addEventListener('error', () => {
      onLost();
      if (opened.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, pauseMs);
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
