/// <reference lib="esnext.disposable" preserve="true" />
import { keepingAlive, STORED_MS } from '../../host/keep-alive.ts';
import { formatCallRef, opNameOf } from '../../protocol/ref.ts';
import { captureMembers, captureText, maskOf } from '../capture/capture-call.ts';
import { endCall, failCall, recordUsage } from '../record/end-call.ts';
import { writeLateSummaries } from '../record/late-summary.ts';
import { frameOfWork } from '../propagation/frame-of-work.ts';
import type { UntypedOptions } from './op-spec.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { registry } from '../propagation/registry.ts';
import { type CallAddress, reportProblem } from '../record/tracer.ts';
import type { TokenUsage } from '../record/usage.ts';

/** A call as user code sees it. Nothing here ever throws; on a call that is not recorded it does nothing. */
export interface CallHandle {
  /** Empty when the call is not recorded, as are `traceId` and `ref`. */
  readonly id: string;
  readonly traceId: string;
  readonly threadId: string | undefined;
  /** Reference of the call. */
  readonly ref: string;
  /** Address of the call on the page, while a service is known. */
  readonly url: string | undefined;
  readonly isRecording: boolean;
  /** Adds attributes that are known only now. They are recorded with the end of the call. */
  set(attributes: Readonly<Record<string, unknown>>): void;
  /** Adds the tokens of one model request. */
  usage(model: string, tokens: TokenUsage): void;
  /** Changes the display name. */
  name(text: string): void;
  /**
   * Attaches feedback, such as `feedback('thumbs', { up: true })`. Resolves when the service has it, or it is lost, which is
   * reported. Who awaits it keeps the process alive for that, for 10 seconds at most.
   */
  feedback(type: string, payload: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Resolves when the service has acknowledged what was recorded of this call so far. Who awaits it keeps the process alive
   * for that, for 10 seconds at most.
   */
  stored(): Promise<void>;
}

/** A call that was started by hand and is ended by hand, or by leaving the block of a `using` declaration. */
export interface StartedCall extends CallHandle, Disposable {
  /** Ends the call. The first end counts. */
  end(output?: unknown): void;
  /** Ends the call with an error. */
  fail(error: unknown): void;
  /** Runs `fn` with this call as the parent of what it calls. */
  run<Result>(fn: () => Result): Result;
}

export function handleOf(call: RecordedCall | undefined): CallHandle {
  return call === undefined ? INERT : new RecordedHandle(call, {});
}

export function startedHandle(call: RecordedCall, options: UntypedOptions): StartedCall {
  return new RecordedHandle(call, options);
}

class RecordedHandle implements StartedCall {
  readonly #call: RecordedCall;
  readonly #options: UntypedOptions;

  constructor(call: RecordedCall, options: UntypedOptions) {
    this.#call = call;
    this.#options = options;
  }

  get id(): string {
    return this.#call.id;
  }

  get traceId(): string {
    return this.#call.traceId;
  }

  get threadId(): string | undefined {
    return this.#call.threadId;
  }

  get ref(): string {
    return formatCallRef(this.#call.tracer.projectId, this.#call.id);
  }

  get url(): string | undefined {
    return this.#guarded('url', () => this.#call.tracer.calls?.url(this.#address()));
  }

  get isRecording(): boolean {
    return true;
  }

  set(attributes: Readonly<Record<string, unknown>>): void {
    this.#guarded('set_attributes', () => {
      const { tracer, scope } = this.#call;
      const { value } = captureMembers(attributes, 'attributes', maskOf(tracer, scope), tracer);
      this.#call.setAttributes(value as Readonly<Record<string, unknown>>);
    });
  }

  usage(model: string, tokens: TokenUsage): void {
    this.#guarded('usage', () => recordUsage(this.#call, model, tokens));
  }

  name(text: string): void {
    this.#guarded('name', () => {
      const { tracer, scope } = this.#call;
      this.#call.setDisplayName(captureText(text, 'display_name', maskOf(tracer, scope), tracer));
    });
  }

  // Not async: a promise around the one that keeps the process alive would await it.
  feedback(type: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    const { tracer, scope } = this.#call;
    const done = this.#guarded('feedback', () => {
      const { value } = captureMembers(payload, 'feedback', maskOf(tracer, scope), tracer);
      const sent = tracer.calls?.feedback(this.#address(), type, value as Record<string, unknown>);
      return sent && keepingAlive(sent, STORED_MS);
    });
    return done ?? Promise.resolve();
  }

  stored(): Promise<void> {
    const done = this.#guarded('stored', () => {
      // What was said after the end waits for more of it, and belongs to what was recorded so far.
      writeLateSummaries();
      const stored = this.#call.tracer.calls?.stored(this.#address());
      return stored && keepingAlive(stored, STORED_MS);
    });
    return done ?? Promise.resolve();
  }

  end(output?: unknown): void {
    endCall(this.#call, this.#options, output);
  }

  fail(error: unknown): void {
    failCall(this.#call, error);
  }

  run<Result>(fn: () => Result): Result {
    return registry.context.run(frameOfWork(this.#call), fn);
  }

  [Symbol.dispose](): void {
    this.end();
  }

  #address(): CallAddress {
    return { projectId: this.#call.tracer.projectId, id: this.#call.id, traceId: this.#call.traceId };
  }

  #guarded<Result>(kind: string, action: () => Result): Result | undefined {
    try {
      return action();
    } catch (error) {
      const { tracer, opName } = this.#call;
      reportProblem(`handle_${kind}`, `Cannot do "${kind}" on a call of "${opNameOf(opName)}"`, error, tracer);
      return undefined;
    }
  }
}

/** Stands for a call that is not recorded, so that nobody has to ask. */
export const INERT: StartedCall = {
  id: '',
  traceId: '',
  threadId: undefined,
  ref: '',
  url: undefined,
  isRecording: false,
  set() {},
  usage() {},
  name() {},
  async feedback() {},
  async stored() {},
  end() {},
  fail() {},
  run: (fn) => fn(),
  [Symbol.dispose]() {},
};
