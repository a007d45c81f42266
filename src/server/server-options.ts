import type { Logger } from 'pino';
import type { DefaultPrice } from '../protocol/cost.ts';
import type { Limits } from '../protocol/limits.ts';
import type { RetentionRule } from '../storage/contract/retention.ts';
import type { Storage } from '../storage/contract/storage.ts';
import type { LogLevel } from './http/request-log.ts';

/** Options that a service is started with. */
export interface ServerOptions {
  /**
   * Where calls are kept: in a SQLite file of the data folder, in this process, in a database of ClickHouse, or in a
   * storage that is open already, of any engine that passes `storageConformance`, and that the server closes.
   * @default 'sqlite'
   */
  readonly storage?: 'sqlite' | 'memory' | 'clickhouse' | Storage;
  /** The database of ClickHouse: `http://user:password@host:8123/database`. @default none */
  readonly storageUrl?: string;
  /** Name of the cluster of ClickHouse on whose servers tables are made, each with a copy. @default none */
  readonly storageCluster?: string;
  /** State folder, shared with the programs of this machine. @default $SPOOR_HOME, else ~/.spoor */
  readonly home?: string;
  /**
   * Folder of the database and the keys; of the keys alone where the storage is open already, and of the key of
   * this machine alone with `clickhouse`.
   * @default `data` in the state folder; with `memory`, or another storage and no `home`: none
   */
  readonly dataDir?: string;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes any free port. @default 7717 */
  readonly port?: number;
  /** The beginning of every path, as in `/traces`: for a proxy that passes a part of its paths on. @default none */
  readonly basePath?: string;
  /** The key for everything, in place of the one that the first start makes. @default $SPOOR_API_KEY */
  readonly apiKey?: string;
  /** Limits other than those of the protocol. */
  readonly limits?: Partial<Limits>;
  /** The failure that an answered write survives: the end of the process, or a power cut. @default 'process' */
  readonly durable?: 'process' | 'power';
  /** Lets `/health` be asked without a key. @default false */
  readonly openHealth?: boolean;
  /**
   * Lets OpenTelemetry exporters send their key in the header `svc-api-key`, on `/otel/v1/traces` only. The vendor's
   * dialect always does. @default false
   */
  readonly otlpKeyHeader?: boolean;
  /** Lets `/metrics` be asked without a key. @default false */
  readonly openMetrics?: boolean;
  /**
   * Prices of models where a project has none of its own. A price without `effective_date` has always been so. Below
   * them stand the prices that come with the npm package `@pydantic/genai-prices`; `'none'` takes neither.
   * @default [], which leaves those of the package
   */
  readonly prices?: readonly DefaultPrice[] | 'none';
  /** Requests per second of each key. @default none: no limit */
  readonly rateLimit?: number;
  /** Requests a key may make at once after a pause; goes with `rateLimit`. @default `rateLimit`, rounded up */
  readonly rateBurst?: number;
  /** Origins whose pages may use the service from a browser, as in `https://app.example`; `*` is all. @default none */
  readonly corsOrigins?: readonly string[];
  /**
   * Proxies in front, as addresses, networks (`10.0.0.0/8`) or `loopback`; `all` is any. What they say in
   * `X-Forwarded-For` is taken for the address of a client, and names other than that of this machine in `Host`
   * are right. @default none
   */
  readonly trustProxy?: readonly string[];
  /**
   * Days after which traces are removed, counted from the last thing that happened in them; `all` keeps them. Whoever gives any
   * of these three says it to all services on the storage, and to later starts, in place of what was said before.
   * @default what was said last; at first all stay
   */
  readonly retainDays?: number | 'all';
  /** Bytes of attributes, inputs and outputs that a project keeps; the oldest traces go first; `all` keeps them. @default as above */
  readonly retainBytes?: number | 'all';
  /** Other rules for some projects, in place of both; `{}` keeps everything. @default as above */
  readonly retainProjects?: Readonly<Record<string, RetentionRule>>;
  /**
   * The editor in which the page opens files, for who sits at this machine: words as in `code` or `emacsclient -n`, of which `{file}`
   * and `{line}` are replaced; no shell reads them. Goes with `sourceRoots`. @default none
   */
  readonly editor?: string;
  /** Folders of programs, whose files alone are opened. @default [] */
  readonly sourceRoots?: readonly string[];
  /** Folder of the built page, in place of the one that comes with the package. */
  readonly pageFolder?: string;
  /** Seconds a stop waits for requests in flight. @default 10 */
  readonly graceSeconds?: number;
  /** Lines on standard error from this level on; requests that succeed are `info`. @default 'warn' */
  readonly logLevel?: LogLevel;
  /** Takes the lines instead of standard error. */
  readonly logger?: Logger;
  /**
   * Called when the service answers, and awaited, before other services on the storage are told anything: a start fails
   * with what this throws or rejects with. It may close the service. @default nothing
   */
  readonly onListening?: (server: SpoorServer) => void | Promise<void>;
}

/** A running service. */
export interface SpoorServer {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** A key for all projects, with the privilege to import. */
  readonly apiKey: string;
  /** Folder of the database and the keys, if there is one. */
  readonly dataDir: string | undefined;
  /** File of the database, if there is one that this service has opened. */
  readonly databaseFile: string | undefined;
  /** Address of the database without user and password, if it has one. */
  readonly databaseUrl: string | undefined;
  /** Makes the token of a link that logs a browser in with the key, once and within 15 minutes. */
  createPageToken(): string;
  /** Finishes requests in flight and closes the storage. Calling it again does nothing more. */
  close(): Promise<void>;
}
