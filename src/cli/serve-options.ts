import { type Command, Option } from 'commander';
import {
  readBytes,
  readChoice,
  readDays,
  readLimits,
  readList,
  readPath,
  readPaths,
  readPort,
  readPositive,
  readPrices,
  readRate,
  readRetention,
  readSwitch,
  readText,
} from './option-value.ts';

/** How the value of an option is read: text of flags and variables, or any value of the configuration file. */
type ReadValue = (value: unknown, folder: string) => unknown;

/** One option of `spoor serve`. */
interface ServeOption {
  /** Key in the configuration file; the name commander makes of the long flag. */
  readonly key: string;
  /** A flag without `<…>` is a switch. */
  readonly flags: string;
  readonly variable: `SPOOR_${string}`;
  readonly description: string;
  readonly default?: string | number;
  readonly choices?: readonly string[];
  /** Throws commander's `InvalidArgumentError`. Paths are relative to `folder`. */
  readonly read: ReadValue;
}

export const STORAGES = ['sqlite', 'memory', 'clickhouse'] as const;
const DURABILITIES = ['process', 'power'] as const;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/**
 * Every option of `spoor serve`, in the order of `--help`. A row makes flag, variable and key of the configuration
 * file; all but `data` go to `createServer` under their key. `docs/reference/cli.md` and `options.md` have a line each.
 */
export const SERVE_OPTIONS = [
  {
    key: 'port',
    flags: '--port <port>',
    variable: 'SPOOR_PORT',
    description: 'port to listen on, 0 for any free one',
    default: 7717,
    read: readPort,
  },
  {
    key: 'host',
    flags: '--host <address>',
    variable: 'SPOOR_HOST',
    description: 'address to listen on',
    default: '127.0.0.1',
    read: readText,
  },
  {
    key: 'basePath',
    flags: '--base-path <path>',
    variable: 'SPOOR_BASE_PATH',
    description: 'what stands before every path, as in /traces',
    read: readText,
  },
  {
    key: 'data',
    flags: '--data <folder>',
    variable: 'SPOOR_DATA',
    description: 'data folder; without, "data" in the state folder',
    read: readPath,
  },
  {
    key: 'storage',
    flags: '--storage <engine>',
    variable: 'SPOOR_STORAGE',
    description: 'where calls are kept',
    default: 'sqlite',
    choices: STORAGES,
    read: readChoice(STORAGES),
  },
  {
    key: 'storageUrl',
    flags: '--storage-url <address>',
    variable: 'SPOOR_STORAGE_URL',
    description:
      'database of clickhouse, as in http://user:password@host:8123/database; others see a flag, not a variable',
    // The engine refuses what is no address, without showing it: there may be a password in it.
    read: readText,
  },
  {
    key: 'storageCluster',
    flags: '--storage-cluster <name>',
    variable: 'SPOOR_STORAGE_CLUSTER',
    description: 'cluster of clickhouse on whose servers tables are made, each with a copy; without, one server',
    read: readText,
  },
  {
    key: 'durable',
    flags: '--durable <level>',
    variable: 'SPOOR_DURABLE',
    description: 'what an acknowledged write survives: the death of the process, or a power cut too',
    default: 'process',
    choices: DURABILITIES,
    read: readChoice(DURABILITIES),
  },
  {
    key: 'logLevel',
    flags: '--log-level <level>',
    variable: 'SPOOR_LOG_LEVEL',
    description: 'lines on standard error from this level on; requests that succeed are info',
    default: 'warn',
    choices: LOG_LEVELS,
    read: readChoice(LOG_LEVELS),
  },
  {
    key: 'openHealth',
    flags: '--open-health',
    variable: 'SPOOR_OPEN_HEALTH',
    description: 'answer /health without a key',
    read: readSwitch,
  },
  {
    key: 'openMetrics',
    flags: '--open-metrics',
    variable: 'SPOOR_OPEN_METRICS',
    description: 'answer /metrics without a key',
    read: readSwitch,
  },
  {
    key: 'otlpKeyHeader',
    flags: '--otlp-key-header',
    variable: 'SPOOR_OTLP_KEY_HEADER',
    description: 'let exporters of OpenTelemetry send their key in the header svc-api-key',
    read: readSwitch,
  },
  {
    key: 'rateLimit',
    flags: '--rate-limit <number>',
    variable: 'SPOOR_RATE_LIMIT',
    description: 'requests per second of each key; without, no limit',
    read: readRate,
  },
  {
    key: 'rateBurst',
    flags: '--rate-burst <count>',
    variable: 'SPOOR_RATE_BURST',
    description: 'requests a key may make at once after a pause; without, those of a second',
    read: readPositive,
  },
  {
    key: 'corsOrigins',
    flags: '--cors-origins <list>',
    variable: 'SPOOR_CORS_ORIGINS',
    description: 'origins whose pages may use the service, separated by commas; * is all',
    read: readList,
  },
  {
    key: 'trustProxy',
    flags: '--trust-proxy <list>',
    variable: 'SPOOR_TRUST_PROXY',
    description: 'proxies in front: addresses, networks or loopback, separated by commas; all is any',
    read: readList,
  },
  {
    key: 'graceSeconds',
    flags: '--grace-seconds <count>',
    variable: 'SPOOR_GRACE_SECONDS',
    description: 'how long a stop waits for requests in flight',
    default: 10,
    read: readPositive,
  },
  {
    key: 'prices',
    flags: '--prices <file>',
    variable: 'SPOOR_PRICES',
    description: 'JSON file of what models cost where a project has no price of its own; none: no prices but those',
    read: readPrices,
  },
  {
    key: 'retainDays',
    flags: '--retain-days <number>',
    variable: 'SPOOR_RETAIN_DAYS',
    description: 'remove traces in which nothing has happened for so many days, or all; without, as was said last',
    read: readDays,
  },
  {
    key: 'retainBytes',
    flags: '--retain-bytes <count>',
    variable: 'SPOOR_RETAIN_BYTES',
    description: 'remove the oldest traces of a project beyond so many bytes, or all; without, as was said last',
    read: readBytes,
  },
  {
    key: 'retainProjects',
    flags: '--retain-projects <list>',
    variable: 'SPOOR_RETAIN_PROJECTS',
    description: 'other rules for projects: entity/project=days or =all, separated by commas',
    read: readRetention,
  },
  {
    key: 'editor',
    flags: '--editor <command>',
    variable: 'SPOOR_EDITOR',
    description: 'editor in which the page opens files of --source-roots, as in code; {file} and {line} are replaced',
    read: readText,
  },
  {
    key: 'sourceRoots',
    flags: '--source-roots <list>',
    variable: 'SPOOR_SOURCE_ROOTS',
    description: 'folders of programs, whose files alone are opened, separated by commas',
    read: readPaths,
  },
  {
    key: 'limits',
    flags: '--limits <list>',
    variable: 'SPOOR_LIMITS',
    description: 'other limits than the usual ones: key=number, separated by commas',
    read: readLimits,
  },
] as const satisfies readonly ServeOption[];

type Row = (typeof SERVE_OPTIONS)[number];
type Defaulted = Extract<Row, { readonly default: unknown }>;

/** The options that `spoor serve` runs with. */
export type ServeOptions = { readonly [Key in Defaulted['key']]: ValueOf<Key> } & {
  readonly [Key in Exclude<Row, Defaulted>['key']]?: ValueOf<Key>;
};

type ValueOf<Key> = ReturnType<Extract<Row, { readonly key: Key }>['read']>;

/** Gives a command the options of the table, and the one that names the configuration file. */
export function addServeOptions(command: Command): Command {
  for (const row of SERVE_OPTIONS) command.addOption(toOption(row));
  return command.addOption(
    new Option('--config <file>', 'configuration file; without, spoor.config.json, .js or .mjs of this folder').env(
      'SPOOR_CONFIG',
    ),
  );
}

function toOption({ flags, variable, description, default: fallback, choices, read }: ServeOption): Option {
  const option = new Option(flags, description).env(variable).default(fallback);
  if (choices) return option.choices(choices);
  return option.isBoolean() ? option : option.argParser((text: string) => read(text, process.cwd()));
}

export type { ServeOption };
