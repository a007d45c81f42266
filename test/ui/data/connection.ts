import { afterEach, beforeEach, vi } from 'vitest';

/** The browser's part of a stream of events: a connection that it gives up as soon as the answer is not 200. */
export class Connection extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: Connection[] = [];
  readyState = 0;
  readonly address: string;

  constructor(address: string) {
    super();
    this.address = address;
    Connection.opened.push(this);
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  tell(id: string, event = 'hello', data: object = {}): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data), lastEventId: id }));
  }

  refuse(): void {
    this.readyState = Connection.CLOSED;
    this.dispatchEvent(new Event('error'));
  }

  close(): void {
    this.readyState = Connection.CLOSED;
  }
}

/** Puts it in the place of the browser's for each test of a file, on a clock that the test moves. */
export function useConnections(): void {
  beforeEach(() => {
    Connection.opened.length = 0;
    vi.useFakeTimers();
    vi.stubGlobal('EventSource', Connection);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}
