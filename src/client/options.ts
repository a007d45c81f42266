import { GIT_VARIABLE, HOST_VARIABLE } from '../host/recorded-facts.ts';
import type { Dispatcher } from '../delivery/transport/network.ts';
import type { CaptureLimits } from '../tracing/capture/capture-limits.ts';
import type { MaskOption } from '../tracing/mask/mask.ts';
import type { Sample } from '../tracing/record/sampler.ts';

/**
 * A problem of recording or delivery. The same kind is reported at most once a minute, of captured libraries for each of
 * them, `lost-at-exit` at the end.
 */
export interface Problem {
  readonly kind: string;
  /** The library that it is about, where it is about one. */
  readonly subject?: string;
  readonly message: string;
  /** How many records it concerns since the last report, where that can be told. */
  readonly count: number;
  readonly cause: unknown;
}

export const DURABILITIES = ['exit', 'crash'] as const;

export type Durability = (typeof DURABILITIES)[number];

/** Options of `init`. Each that has an environment variable goes before it. */
export interface InitOptions {
  /** Address of the service, `SPOOR_URL`. @default the service that runs on this machine */
  readonly url?: string;
  /** `SPOOR_API_KEY`. @default the local service's key, for its own address */
  readonly apiKey?: string;
  /** `<entity>/<project>`, or a project of the entity `local`, `SPOOR_PROJECT`. @default the name in package.json */
  readonly project?: string;
  /** The state folder, `SPOOR_HOME`. @default ~/.spoor */
  readonly home?: string;
  /** `false` makes traced functions run untraced, like `SPOOR_DISABLED=1`. @default true */
  readonly enabled?: boolean;
  /** Share of root calls to record, from 0 to 1, `'parent'`, or a decision per root, `SPOOR_SAMPLE`. @default 1 */
  readonly sample?: Sample;
  /** Changes to the rules that hide secrets; `false` hides nothing. */
  readonly mask?: MaskOption;
  /** Changes to how much of a value is recorded. */
  readonly limits?: Partial<CaptureLimits>;
  /** Added to the attributes of every root call. */
  readonly attributes?: Readonly<Record<string, unknown>>;
  /**
   * Hosts that are told which call a request comes from, beside this machine: names as `api.example.com`,
   * `*.example.com`, either with a port, `SPOOR_PROPAGATE_TO` with commas. An empty list means this machine only. Child
   * processes and threads are told, too.
   * @default requests say nothing
   */
  readonly propagateTo?: readonly string[];
  /** Tells these hosts inherited attributes too: all, or those named. @default false */
  readonly propagateAttributes?: boolean | readonly string[];
  /** Lets requests to servers of this process go on in the trace that they name, `SPOOR_CONTINUE_TRACES`. @default false */
  readonly continueTraces?: boolean;
  /**
   * Delivers before the platform stops the process, `SPOOR_SERVERLESS`: `true` treats every process like one of Lambda,
   * `false` none.
   * @default 'auto', where a serverless platform is found
   */
  readonly serverless?: 'auto' | boolean;
  /** Limit of one request in milliseconds, `SPOOR_TIMEOUT_MS`. @default 10000 */
  readonly timeoutMs?: number;
  /**
   * Memory for calls that wait, in bytes, `SPOOR_QUEUE_BYTES`; as much again for objects, tables and files.
   * @default 67108864
   */
  readonly queueBytes?: number;
  /** Limit of all records on disk together, in bytes, `SPOOR_SPOOL_BYTES`. @default 100000000 */
  readonly spoolBytes?: number;
  /**
   * Ends that calls survive, `SPOOR_DURABILITY`. `'exit'`: every end of the process that it can see. `'crash'`: also
   * one that it cannot, such as `kill -9`, but for the last turn of the event loop; records go to disk before they are sent.
   * @default 'exit', and 'crash' in worker threads and in workers of vitest and jest, which are ended from outside
   */
  readonly durability?: Durability;
  /**
   * Certificates of authorities that are trusted beside those of Node, `SPOOR_TLS_CA`: a file of PEM, or its text. The variable
   * `NODE_EXTRA_CA_CERTS` of Node does for all that a process sends. Needs the package undici, as the next three do.
   * @default those that Node knows
   */
  readonly tlsCa?: string;
  /** The certificate that the service, or what stands before it, asks for, `SPOOR_TLS_CERT`: a file of PEM, or its text. */
  readonly tlsCert?: string;
  /** Its private key, `SPOOR_TLS_KEY`: a file of PEM, or its text. */
  readonly tlsKey?: string;
  /** Opens the private key, `SPOOR_TLS_PASSPHRASE`. */
  readonly tlsPassphrase?: string;
  /**
   * Makes all requests: a `Dispatcher` of undici, version 6 or newer. What is left when the process ends stays on disk then, and
   * goes with the next one. Without it proxies are those of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
   */
  readonly dispatcher?: Dispatcher;
  /** Told about problems instead of standard error. */
  readonly onError?: (problem: Problem) => void;
}

/** One line of `docs/reference/options.md`, which a test compares with this table. */
export interface OptionDescription {
  readonly option: keyof InitOptions;
  readonly variable?: string;
  readonly default: string;
  readonly unit?: string;
}

export const OPTIONS: readonly OptionDescription[] = [
  { option: 'url', variable: 'SPOOR_URL', default: 'the service that runs on this machine' },
  { option: 'apiKey', variable: 'SPOOR_API_KEY', default: "the local service's key, for its own address" },
  { option: 'project', variable: 'SPOOR_PROJECT', default: 'local/ and the name in package.json' },
  { option: 'home', variable: 'SPOOR_HOME', default: '~/.spoor' },
  { option: 'enabled', variable: 'SPOOR_DISABLED', default: 'true' },
  { option: 'sample', variable: 'SPOOR_SAMPLE', default: '1' },
  { option: 'mask', default: 'the built-in rules' },
  { option: 'limits', default: 'the limits of captured values' },
  { option: 'attributes', default: 'none' },
  { option: 'propagateTo', variable: 'SPOOR_PROPAGATE_TO', default: 'requests say nothing' },
  { option: 'propagateAttributes', default: 'false' },
  { option: 'continueTraces', variable: 'SPOOR_CONTINUE_TRACES', default: 'false' },
  { option: 'serverless', variable: 'SPOOR_SERVERLESS', default: 'auto' },
  { option: 'timeoutMs', variable: 'SPOOR_TIMEOUT_MS', default: '10000', unit: 'milliseconds' },
  { option: 'queueBytes', variable: 'SPOOR_QUEUE_BYTES', default: '67108864', unit: 'bytes' },
  { option: 'spoolBytes', variable: 'SPOOR_SPOOL_BYTES', default: '100000000', unit: 'bytes' },
  { option: 'durability', variable: 'SPOOR_DURABILITY', default: 'exit; crash in worker threads, vitest and jest' },
  { option: 'tlsCa', variable: 'SPOOR_TLS_CA', default: 'the authorities that Node knows' },
  { option: 'tlsCert', variable: 'SPOOR_TLS_CERT', default: 'none' },
  { option: 'tlsKey', variable: 'SPOOR_TLS_KEY', default: 'none' },
  { option: 'tlsPassphrase', variable: 'SPOOR_TLS_PASSPHRASE', default: 'none' },
  { option: 'dispatcher', default: 'none; proxies are those of HTTPS_PROXY, HTTP_PROXY and NO_PROXY' },
  { option: 'onError', default: 'a line on standard error' },
];

/** Variables that are read before anything is recorded; `docs/reference/options.md` names them beside the keys of the file. */
export const REGISTER_VARIABLES: readonly string[] = ['SPOOR_CAPTURE', 'SPOOR_CONFIG'];

/** Variables of the whole process; `docs/reference/options.md` has a table of them. */
export const PROCESS_VARIABLES: readonly string[] = [HOST_VARIABLE, GIT_VARIABLE];
