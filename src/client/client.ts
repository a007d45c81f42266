import { performance } from '../host/clock.ts';
import { clearTimeout, setTimeout } from '../host/timers.ts';
import { Delivery, type DeliveryStats } from '../delivery/delivery.ts';
import { deliverAtExit } from '../delivery/end/exit.ts';
import type { Flushable } from '../delivery/end/flushable.ts';
import { openLastTransport, openServiceTransport } from '../delivery/transport/open-transport.ts';
import type { FlushResult } from '../delivery/queue/ledger.ts';
import { formatCallRef } from '../protocol/ref.ts';
import { PACKAGE_VERSION } from '../protocol/version.ts';
import { serverFileRefusal } from '../spool/server-file.ts';
import { hasLateSummaries, writeLateSummaries } from '../tracing/record/late-summary.ts';
import { hasPendingContent, pendingContent, writePendingContent } from '../tracing/record/pending-content.ts';
import { endAbandoned } from '../tracing/observe/abandoned.ts';
import type { CapturedLibrary } from '../tracing/captures.ts';
import { type PropagationOptions, startPropagation } from '../tracing/propagation/propagation.ts';
import type { FileCounts } from '../tracing/record/captured-files.ts';
import { registry } from '../tracing/propagation/registry.ts';
import type { CallAddress } from '../tracing/record/tracer.ts';
import { untraced } from '../tracing/wrap/untraced.ts';
import { type Config, isMainThread, isOneOfMany } from './config.ts';
import { findService } from './discovery.ts';
import { InvocationEnds, type Outbox } from './invocation-ends.ts';
import { problemKeeper } from './keep-problems.ts';
import { lossesOf } from './losses.ts';
import { Reporter } from './reporter.ts';
import { RunOfProcess } from './run-of-process.ts';
import { detectServerless } from './serverless.ts';

export type { FlushResult } from '../delivery/queue/ledger.ts';

const FLUSH_TIMEOUT_MS = 10_000;

export interface FlushOptions {
  /** How long to wait for the service, in milliseconds. @default 10000 */
  readonly timeoutMs?: number;
}

export interface Stats extends DeliveryStats {
  readonly project: string;
  /** False when recording is switched off. */
  readonly isEnabled: boolean;
  /** Bytes, media and long texts since the last `init`. */
  readonly files: FileCounts;
  /** Libraries whose requests are recorded without being named by the program, or should be, by which hook. */
  readonly captured: readonly CapturedLibrary[];
}

/** Recording and delivery under one configuration, from `init()` to `shutdown()`. */
export class Client {
  readonly config: Config;
  readonly reporter: Reporter;
  readonly delivery: Delivery;
  /** `undefined` where no platform stops the process when it has answered. */
  readonly invocations: InvocationEnds | undefined;
  readonly #stopExitHandlers: () => void;
  readonly #stopPropagation: () => void;
  #shutdown: Promise<FlushResult> | undefined;
  readonly #onOrphan: () => void;
  #hasHinted = false;
  #hasToldDistrust = false;
  #toldLosses: string | undefined;

  /** Makes no request and starts no timer. `onOrphan`: after its shutdown something was recorded, which is on disk. */
  constructor(config: Config, onOrphan: () => void = () => undefined) {
    this.config = config;
    this.#onOrphan = onOrphan;
    this.reporter = new Reporter({ onError: config.onError, keep: problemKeeper(config) });
    this.delivery = this.#openDelivery();
    const host = detectServerless(config.serverless);
    this.invocations = host && new InvocationEnds(host, this.#outbox());
    this.#stopPropagation = config.isEnabled ? startPropagation(propagationOf(config)) : () => undefined;
    this.#stopExitHandlers = config.isEnabled ? deliverAtExit(this.#flushable()) : () => undefined;
  }

  get project(): string {
    return this.config.project;
  }

  /** Resolves, never rejects, when all that was recorded before has arrived or is on disk. */
  flush({ timeoutMs = FLUSH_TIMEOUT_MS }: FlushOptions = {}): Promise<FlushResult> {
    return this.#flush({ timeoutMs });
  }

  /** Resolves when the service has acknowledged all calls recorded so far, with the files that they name. */
  async callsStored(): Promise<void> {
    await pendingContent();
    await Promise.all([this.delivery.acknowledged('objects'), this.delivery.acknowledged('calls')]);
  }

  /** Flushes, writes what is left to disk and lets go of everything. Resolves, never rejects. Idempotent. */
  shutdown(options: FlushOptions = {}): Promise<FlushResult> {
    this.#stopPropagation();
    this.#shutdown ??= this.#end(options);
    return this.#shutdown;
  }

  stats(): Stats {
    return statsOf(this.config, this.delivery.stats());
  }

  /** Address of a call on the service's page, while a service is known. */
  urlOf({ projectId, traceId, id }: CallAddress): string | undefined {
    const base = findService(this.config)?.url;
    const project = projectId.split('/').map(encodeURIComponent).join('/');
    return base && `${base}/ui/${project}/trace/${encodeURIComponent(traceId)}?call=${encodeURIComponent(id)}`;
  }

  /** Never rejects: what the service does not take is reported. */
  async sendFeedback(call: CallAddress, type: string, payload: Record<string, unknown>): Promise<void> {
    try {
      const ref = formatCallRef(call.projectId, call.id);
      const body = { project_id: call.projectId, svc_ref: ref, feedback_type: type, payload };
      await this.delivery.sendOnce('/feedback/create', body, (answer) => 'id' in answer);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      this.reporter.report('feedback-lost', `Cannot send feedback on call "${call.id}": ${message}`, { cause });
    }
  }

  async #flush({ timeoutMs, withOrphans = false }: Parameters<Flushable['flush']>[0]): Promise<FlushResult> {
    const startedAt = performance.now();
    const pending = pendingContent();
    if (pending !== undefined) await within(timeoutMs, pending);
    writeLateSummaries();
    const restMs = Math.max(0, timeoutMs - (performance.now() - startedAt));
    return this.delivery.flush({ timeoutMs: restMs, withOrphans });
  }

  async #end(options: FlushOptions): Promise<FlushResult> {
    const before = await this.flush(options);
    this.#stopExitHandlers();
    writePendingContent();
    this.delivery.close();
    this.#tellLosses();
    const { recorded, sent, spooled, dropped } = this.delivery.stats();
    return recorded === before.sent + before.spooled + before.dropped ? before : { sent, spooled, dropped };
  }

  /** The work of the end of the process: the same as a flush by hand, late sums included. */
  #flushable(): Flushable {
    const { delivery } = this;
    return {
      hasUnsettled: () => hasPendingContent() || hasLateSummaries() || delivery.hasUnsettled,
      hasSpooled: () => delivery.hasSpooled,
      flush: (options) => this.#flush(options),
      spoolNow: (options) => {
        writeUnfinished();
        delivery.spoolNow(options);
      },
      endAbandoned,
      end: (options) => {
        writeUnfinished();
        delivery.end(options);
        this.#tellLosses();
      },
    };
  }

  #outbox(): Outbox {
    const { config, delivery, reporter } = this;
    return {
      get recorded() {
        return delivery.stats().recorded;
      },
      get isReachable() {
        return !delivery.isCutOff && findService(config) !== undefined;
      },
      // A call of this client may end after it.
      flush: (options) => this.#shutdown ?? this.flush(options),
      spool: () => delivery.spoolNow(),
      reportRefusal: (cause) => {
        reporter.report('serverless', `The platform does not wait for delivery: ${String(cause)}`, { cause });
      },
    };
  }

  /** The last word of a process, once: a signal may be followed by an exit. */
  #tellLosses(): void {
    const losses = lossesOf(this.delivery.stats());
    if (losses === undefined || losses.message === this.#toldLosses) return;
    this.#toldLosses = losses.message;
    this.reporter.reportNow('lost-at-exit', losses.message, { count: losses.count });
  }

  #openDelivery(): Delivery {
    const { home, url, project, timeoutMs, network, queueBytes, spoolBytes, durability } = this.config;
    const version = PACKAGE_VERSION;
    return new Delivery({
      home,
      resolveTarget: () => {
        const service = findService(this.config);
        if (service?.apiKey === undefined) this.#tellDistrust();
        return service;
      },
      segmentTarget: { url: url ?? null, project },
      openTransport: (target) => openServiceTransport({ ...target, version, timeoutMs, untraced, network }),
      openBlockingTransport: (target, deadline) => openLastTransport({ ...target, version, deadline, network }),
      report: (kind, message, details) => this.reporter.report(kind, message, details),
      run: new RunOfProcess({ mayAskGit: isMainThread() && !isOneOfMany() }),
      onNoService: () => this.#hintAtService(),
      onOrphan: () => this.#onOrphan(),
      limits: { bytes: queueBytes },
      spoolBytes,
      isWrittenAhead: durability === 'crash',
    });
  }

  /** Once: there is a file that names a service, and somebody else can have written it. */
  #tellDistrust(): void {
    const { home } = this.config;
    const refusal = home === undefined || this.#hasToldDistrust ? undefined : serverFileRefusal(home);
    if (refusal === undefined) return;
    this.#hasToldDistrust = true;
    const message = `Cannot believe ${refusal}; what it names gets nothing, and records wait on disk`;
    this.reporter.report('server-file-refused', message);
  }

  /** Once, and to a person only. */
  #hintAtService(): void {
    if (this.#hasHinted || !process.stderr.isTTY) return;
    this.#hasHinted = true;
    const fate = this.config.home === undefined ? 'calls wait in memory' : 'calls are kept on disk';
    process.stderr.write(`spoor: no trace service runs here; ${fate} and appear once "npx spoor" runs\n`);
  }
}

/** With what is known of this process beside its records. */
export function statsOf({ project, isEnabled }: Config, delivered: DeliveryStats): Stats {
  const files = registry.tracer?.files.counts ?? { kept: 0, bytes: 0, tooLarge: 0 };
  return { ...delivered, project, isEnabled, files, captured: [...(registry.captures?.libraries ?? [])] };
}

/** Contents and summaries that are recorded later than their call ended. */
function writeUnfinished(): void {
  writePendingContent();
  writeLateSummaries();
}

function propagationOf({ propagateTo, propagateAttributes, continueTraces }: Config): PropagationOptions {
  return {
    outgoing: propagateTo && { hosts: propagateTo, attributes: propagateAttributes },
    isContinuing: continueTraces,
  };
}

/** Keeps the process alive until then, as what it waits for may not. */
async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}
