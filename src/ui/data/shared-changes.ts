import { type Changes, type LiveState, openChanges } from './change-stream.ts';

type Message = { readonly changes: Changes } | { readonly state: LiveState } | 'who tells?';

/**
 * Follows changes over one connection for all windows of this browser: a browser has six for a service, and one that is
 * never done in each of six windows would leave none for anything else. The window that has the lock keeps it and tells the
 * others; when it goes, the next one opens it again, and all read once what they may have missed between.
 */
export function followTogether(
  address: string,
  onChanges: (changes: Changes) => void,
  onState: (state: LiveState) => void,
): () => void {
  // Browsers have locks for pages of https and of this machine only. Elsewhere each window has its connection.
  if (navigator.locks === undefined) return openChanges(address, onChanges, onState);
  const channel = new BroadcastChannel(address);
  let hasFollowed = false;
  let lead: Lead | undefined;
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data === 'who tells?') return lead?.tellState();
    hasFollowed = true;
    if ('state' in data) onState(data.state);
    else onChanges(data.changes);
  });
  post(channel, 'who tells?' satisfies Message);
  const abort = new AbortController();
  const keep = async (): Promise<void> => {
    if (abort.signal.aborted) return;
    lead = leadOthers({ address, channel, hasFollowed, onChanges, onState });
    await lead.ended;
  };
  navigator.locks.request(address, { signal: abort.signal }, keep).catch((error: unknown) => {
    // Whoever stops before it was his turn has nothing to end.
    if (!abort.signal.aborted) throw error;
  });
  return () => {
    abort.abort();
    lead?.stop();
    channel.close();
  };
}

interface Lead {
  readonly ended: Promise<void>;
  readonly tellState: () => void;
  readonly stop: () => void;
}

interface LeadOptions {
  readonly address: string;
  readonly channel: BroadcastChannel;
  /** Another window has told changes before. */
  readonly hasFollowed: boolean;
  readonly onChanges: (changes: Changes) => void;
  readonly onState: (state: LiveState) => void;
}

/** Keeps the connection, and tells this window and all others what comes over it. */
function leadOthers({ address, channel, hasFollowed, onChanges, onState }: LeadOptions): Lead {
  let state: LiveState = { isOpen: false, lostAt: undefined };
  let isBehind = hasFollowed;
  const tell = (changes: Changes) => {
    post(channel, { changes } satisfies Message);
    onChanges(changes);
  };
  const close = openChanges(address, tell, (next) => {
    state = next;
    post(channel, { state } satisfies Message);
    onState(state);
    if (!isBehind || !state.isOpen) return;
    isBehind = false;
    tell({ rows: [], gone: [], feedback: [], hasMissed: true });
  });
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    ended,
    tellState: () => post(channel, { state } satisfies Message),
    stop: () => {
      close();
      end();
    },
  };
}

/** Tells the other windows of this browser. */
export function post(channel: BroadcastChannel, message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  channel.postMessage(message);
}
