// docs/decisions/0027-calls-and-spans-are-one-tree.md says why.
import { createTraceState, type Span, type SpanContext, trace, TraceFlags } from '@opentelemetry/api';
import { keptGlobal } from '../../host/kept-global.ts';
import { spanIdOf } from '../../protocol/values/id.ts';
import {
  addStateMember,
  type CallSpan,
  clock,
  currentFrame,
  type ForeignParent,
  type Frame,
  registry,
  type SpanBridge,
} from '../../tracing/instrument.ts';
import { guarded } from './guarded.ts';
import { OtelCall, type OtelCallOptions } from './otel-call.ts';
import { ContextSharing } from './context-sharing.ts';

/** Makes the spans of calls in the provider of the program. */
export interface SpanMaker extends OtelCallOptions {
  /** `undefined` where the provider makes none. */
  start(opName: string, kind: string | undefined, startedAt: number): Span | undefined;
}

/**
 * Knows which call and which span are the same, and which of the two contexts is further in: each call remembers the
 * span around it, so another span that is active now began inside of the call.
 */
export class OtelBridge implements SpanBridge {
  readonly #frames = new WeakMap<object, Frame>();
  readonly #remotes = new WeakMap<ForeignParent, Span>();
  readonly #context = new ContextSharing((span) => this.#shown(span));
  readonly #users = new Set<object>();
  #maker: SpanMaker | undefined;
  #isStarting = false;

  /** While a span of one of our calls is being started. */
  get isStarting(): boolean {
    return this.#isStarting;
  }

  use(user: object, maker?: SpanMaker): void {
    this.#users.add(user);
    this.#maker = maker ?? this.#maker;
    registry.bridge = this;
    this.#context.share();
  }

  release(user: object, maker?: SpanMaker): void {
    this.#users.delete(user);
    if (maker !== undefined && this.#maker === maker) this.#maker = undefined;
    if (this.#users.size > 0) return;
    delete registry.bridge;
    this.#context.stop();
  }

  /** The program may have registered another context manager. */
  refresh(): void {
    this.#context.share();
  }

  activeSpan(): object | undefined {
    return guarded(() => this.#context.activeSpan());
  }

  innermost(frame: Frame | undefined): Frame | undefined {
    const span = this.activeSpan();
    if (span === undefined || isAround(span, frame)) return frame;
    const known = this.#frames.get(span);
    if (known === undefined || known === frame?.call) return frame;
    // What was left out stays so, whatever is inherited.
    if (known.call === undefined) return known;
    return { call: known.call, scope: frame?.scope, catcher: frame?.catcher };
  }

  startSpan(opName: string, kind: string | undefined): CallSpan | undefined {
    return guarded(() => {
      this.#context.share();
      const startedAt = clock.now();
      const around = this.#context.activeSpan();
      return new OtelCall({
        startedAt,
        around,
        span: this.#start(opName, kind, startedAt),
        options: this.#maker,
        onBegin: (span, call) => this.know(span, call),
      });
    });
  }

  /** A span of somebody else, as the span of a call. */
  adopt(span: Span, startedAt: number): OtelCall {
    return new OtelCall({ startedAt, around: this.activeSpan(), span, isForeign: true });
  }

  /** From here on `span` stands for `frame`. */
  know(span: object, frame: Frame): void {
    this.#frames.set(span, frame);
  }

  frameOf(span: object): Frame | undefined {
    return this.#frames.get(span);
  }

  /** Somebody's provider may throw: then the call has no span. */
  #start(opName: string, kind: string | undefined, startedAt: number): Span | undefined {
    this.#isStarting = true;
    try {
      return guarded(() => this.#maker?.start(opName, kind, startedAt));
    } finally {
      this.#isStarting = false;
    }
  }

  #shown(span: object | undefined): object | undefined {
    return guarded(() => {
      const frame = currentFrame();
      const own = frame?.call?.span;
      if (own instanceof OtelCall) return aroundOf(frame, own) === span ? own.own : span;
      const foreign = frame?.call === undefined ? frame?.scope?.foreign : undefined;
      return foreign?.parentId !== undefined && foreign.around === span ? this.#remoteOf(foreign) : span;
    }, span);
  }

  /** A call of another process, as the span that it is to others. */
  #remoteOf(foreign: ForeignParent): Span {
    let span = this.#remotes.get(foreign);
    if (span === undefined) this.#remotes.set(foreign, (span = trace.wrapSpanContext(contextOf(foreign))));
    return span;
  }
}

function contextOf({ traceId, parentId = '', isSampled, traceState = '' }: ForeignParent): SpanContext {
  return {
    traceId,
    spanId: spanIdOf(parentId),
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    traceState: createTraceState(addStateMember(traceState, parentId)),
    isRemote: true,
  };
}

/** Is `span` what was there already when the context of `frame` began, or the same as its call? */
function isAround(span: object, frame: Frame | undefined): boolean {
  const own = frame?.call?.span;
  if (own instanceof OtelCall) return span === aroundOf(frame, own) || span === own.own;
  return frame?.call === undefined && frame?.scope?.foreign !== undefined && frame.scope.foreign.around === span;
}

function aroundOf(frame: Frame | undefined, own: OtelCall): object | undefined {
  return frame !== undefined && 'around' in frame ? frame.around : own.around;
}

/** The one of this process: the copy of this package that comes first makes it. */
export function otelBridge(): OtelBridge {
  return ((globalThis as BridgeHolder)[BRIDGE_KEY] ??= keptGlobal(new OtelBridge()));
}

/** Changes when the shape of `OtelBridge` changes, so that unlike copies do not meet. */
const BRIDGE_KEY = Symbol.for('spoor.otel.1');

interface BridgeHolder {
  [BRIDGE_KEY]?: OtelBridge;
}
