import { builtin } from '../host/builtin.ts';
import type { Network } from '../delivery/transport/network.ts';
import { isTooOld } from '../host/node-version.ts';
import { isProjectId } from '../protocol/values/id.ts';
import { stateFolder } from '../spool/state-folder.ts';
import { isHostPattern } from '../tracing/propagation/propagated-hosts.ts';
import { registry } from '../tracing/propagation/registry.ts';
import type { Sample } from '../tracing/record/sampler.ts';
import { checkInitOptions } from './check-init-options.ts';
import { DURABILITIES, type Durability, type InitOptions } from './options.ts';
import { readNetwork } from './network-settings.ts';
import { defaultProject, wholeProject } from './project-name.ts';
import { type Environment, variablesOf } from './variables.ts';

/** Options, environment and defaults together. */
export interface Config extends Pick<InitOptions, 'mask' | 'limits' | 'attributes' | 'onError'> {
  /** `undefined`: the service that runs for the state folder. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly project: string;
  /** `undefined` when the system knows no home. */
  readonly home: string | undefined;
  readonly isEnabled: boolean;
  readonly sample: Sample;
  /** `undefined`: requests say nothing of the call that makes them. */
  readonly propagateTo: readonly string[] | undefined;
  readonly propagateAttributes: boolean | readonly string[];
  readonly continueTraces: boolean;
  readonly serverless: 'auto' | boolean;
  readonly timeoutMs: number;
  readonly queueBytes: number;
  readonly spoolBytes: number;
  readonly durability: Durability;
  readonly network: Network;
}

/** Throws a `TypeError` or `RangeError` for an option that makes no sense; a variable that makes none is reported. */
export function readConfig(
  options: InitOptions = {},
  environment: Environment = process.env,
  report: (problem: string) => void = () => undefined,
): Config {
  checkInitOptions(options);
  const { url, apiKey, project, home, enabled, sample, mask, limits, attributes, onError } = options;
  const { propagateTo, propagateAttributes, continueTraces } = options;
  const variable = variablesOf(environment, report);
  return {
    url: url === undefined ? variable('SPOOR_URL', toUrl) : toUrl(url, 'url'),
    apiKey: apiKey || environment['SPOOR_API_KEY'] || undefined,
    project: (project ? toProject(project, 'project') : variable('SPOOR_PROJECT', toProject)) ?? defaultProject(),
    home: stateFolder(home === undefined ? environment : { SPOOR_HOME: home }),
    isEnabled: !isTooOld() && (enabled ?? !isSwitchedOn(environment['SPOOR_DISABLED'])),
    sample: sample ?? variable('SPOOR_SAMPLE', toSample) ?? 1,
    propagateTo:
      propagateTo === undefined
        ? (variable('SPOOR_PROPAGATE_TO', (text, source) => toHosts(listOf(text), source)) ?? defaultHosts())
        : toHosts(propagateTo, 'propagateTo'),
    propagateAttributes: propagateAttributes ?? false,
    continueTraces: continueTraces ?? isSwitchedOn(environment['SPOOR_CONTINUE_TRACES']),
    serverless: options.serverless ?? variable('SPOOR_SERVERLESS', toServerless) ?? 'auto',
    timeoutMs: options.timeoutMs ?? variable('SPOOR_TIMEOUT_MS', toPositive) ?? 10_000,
    queueBytes: options.queueBytes ?? variable('SPOOR_QUEUE_BYTES', toPositive) ?? 64 * 1024 * 1024,
    spoolBytes: options.spoolBytes ?? variable('SPOOR_SPOOL_BYTES', toPositive) ?? 100_000_000,
    durability: options.durability ?? variable('SPOOR_DURABILITY', toDurability) ?? defaultDurability(environment),
    network: readNetwork(options, variable, environment),
    ...(mask === undefined ? {} : { mask }),
    ...(limits === undefined ? {} : { limits }),
    ...(attributes === undefined ? {} : { attributes }),
    ...(onError === undefined ? {} : { onError }),
  };
}

/** Is nothing to be recorded, whatever the program says? */
export function isDisabledFromStart(environment: Environment = process.env): boolean {
  return isTooOld() || isSwitchedOff(environment);
}

/** Does the environment say that nothing is to be recorded? */
export function isSwitchedOff(environment: Environment = process.env): boolean {
  return isSwitchedOn(environment['SPOOR_DISABLED']);
}

/** Is a process to continue traces before its first traced call has read the configuration? */
export function continuesFromStart(environment: Environment = process.env): boolean {
  return isSwitchedOn(environment['SPOOR_CONTINUE_TRACES']) && !isDisabledFromStart(environment);
}

/** Who starts a program for being recorded wants one tree, also of what it calls on this machine. */
function defaultHosts(): readonly string[] | undefined {
  return registry.isAutomatic === true ? [] : undefined;
}

/** An empty text is as good as none. */
function toUrl(text: string, source: string): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw invalid(source, text, 'an http or https address');
  if (url.username || url.password) throw invalid(source, url.host, 'an address without a key in it');
  return `${url.origin}${url.pathname}`.replace(/\/$/, '');
}

function toProject(text: string, source: string): string {
  const project = wholeProject(text);
  if (!isProjectId(project)) throw invalid(source, text, '"<entity>/<project>"');
  return project;
}

function toSample(text: string, source: string): Sample {
  if (text === 'parent') return text;
  const rate = Number(text);
  if (!(rate >= 0 && rate <= 1)) throw invalid(source, text, 'a number from 0 to 1');
  return rate;
}

function toServerless(text: string, source: string): 'auto' | boolean {
  const word = text.toLowerCase();
  if (word === 'auto') return word;
  if (!['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'].includes(word)) {
    throw invalid(source, text, '"auto", "1" or "0"');
  }
  return isSwitchedOn(word);
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function toHosts(hosts: readonly string[], source: string): readonly string[] {
  const wrong = hosts.find((host) => !isHostPattern(host));
  if (wrong !== undefined) throw invalid(source, wrong, 'a host like "api.example.com" or "*.example.com"');
  return hosts;
}

function toPositive(text: string, source: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw invalid(source, text, 'a number above 0');
  return value;
}

function toDurability(text: string, source: string): Durability {
  const durability = DURABILITIES.find((word) => word === text);
  if (durability === undefined) throw invalid(source, text, DURABILITIES.join(' or '));
  return durability;
}

/** The end of a thread is often the word of another one: `terminate()`, or `process.exit()` of the main thread. */
function defaultDurability(environment: Environment): Durability {
  return isMainThread() && !isTestWorker(environment) ? 'exit' : 'crash';
}

export function isMainThread(): boolean {
  return builtin('node:worker_threads').isMainThread;
}

/**
 * Was it started by one that starts many at once, such as a cluster or a runner of tests? What each of them does is done often.
 * They have a channel, as has the one program of `node --watch`.
 */
export function isOneOfMany(environment: Environment = process.env): boolean {
  const isWatched = environment['WATCH_REPORT_DEPENDENCIES'] !== undefined;
  const isForked = process.connected && !isWatched;
  return isForked || environment['NODE_TEST_CONTEXT'] !== undefined || isTestWorker(environment);
}

/**
 * Runners of tests kill their processes half a second after SIGTERM, which a busy machine may not let us handle before;
 * and what handlers jest hands out to a test are never called. Programs that a test starts inherit the variables, not
 * the channel.
 */
function isTestWorker(environment: Environment): boolean {
  const { JEST_WORKER_ID, VITEST_POOL_ID, VITEST_WORKER_ID } = environment;
  return Boolean(JEST_WORKER_ID) || (process.connected && Boolean(VITEST_POOL_ID || VITEST_WORKER_ID));
}

function isSwitchedOn(text: string | undefined): boolean {
  return text !== undefined && !['', '0', 'false', 'no', 'off'].includes(text.toLowerCase());
}

/** A password may stand before an `@`, and a key after a `?`. */
function invalid(source: string, value: string, wanted: string): TypeError {
  const shown = value.replace(/^.*@/s, '…@').replace(/[?#].*$/s, '?…');
  return new TypeError(`Cannot use ${source} "${shown}": expected ${wanted}`);
}
