import { TracingError } from '../protocol/error.ts';
import { isProjectId } from '../protocol/id.ts';
import { stateFolder } from '../spool/state-folder.ts';
import { isHostPattern } from '../tracing/propagated-hosts.ts';
import type { Sample } from '../tracing/sampler.ts';
import type { InitOptions } from './options.ts';
import { defaultProject } from './project-name.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

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
  readonly timeoutMs: number;
  readonly queueBytes: number;
  readonly spoolBytes: number;
}

/** Throws `invalid_configuration` for a value that makes no sense, naming where it came from. */
export function readConfig(options: InitOptions = {}, environment: Environment = process.env): Config {
  const { url, apiKey, project, home, enabled, sample, mask, limits, attributes, onError } = options;
  const { propagateTo, propagateAttributes, continueTraces } = options;
  const number = (option: 'timeoutMs' | 'queueBytes' | 'spoolBytes', variable: string, fallback: number) =>
    options[option] === undefined
      ? toPositive(environment[variable], variable, fallback)
      : toPositive(String(options[option]), option, fallback);
  return {
    url: url === undefined ? toUrl(environment['SPOOR_URL'], 'SPOOR_URL') : toUrl(url, 'url'),
    apiKey: apiKey || environment['SPOOR_API_KEY'] || undefined,
    project:
      project === undefined ? toProject(environment['SPOOR_PROJECT'], 'SPOOR_PROJECT') : toProject(project, 'project'),
    home: stateFolder(home === undefined ? environment : { SPOOR_HOME: home }),
    isEnabled: enabled ?? !isSwitchedOn(environment['SPOOR_DISABLED']),
    sample: toSample(sample, 'sample') ?? toSample(toNumber(environment['SPOOR_SAMPLE']), 'SPOOR_SAMPLE') ?? 1,
    propagateTo:
      propagateTo === undefined
        ? toHosts(listOf(environment['SPOOR_PROPAGATE_TO']), 'SPOOR_PROPAGATE_TO')
        : toHosts(propagateTo, 'propagateTo'),
    propagateAttributes: propagateAttributes ?? false,
    continueTraces: continueTraces ?? isSwitchedOn(environment['SPOOR_CONTINUE_TRACES']),
    timeoutMs: number('timeoutMs', 'SPOOR_TIMEOUT_MS', 10_000),
    queueBytes: number('queueBytes', 'SPOOR_QUEUE_BYTES', 64 * 1024 * 1024),
    spoolBytes: number('spoolBytes', 'SPOOR_SPOOL_BYTES', 100_000_000),
    ...(mask === undefined ? {} : { mask }),
    ...(limits === undefined ? {} : { limits }),
    ...(attributes === undefined ? {} : { attributes }),
    ...(onError === undefined ? {} : { onError }),
  };
}

function toUrl(text: string | undefined, source: string): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw invalid(source, text, 'an http or https address');
  if (url.username || url.password) throw invalid(source, url.host, 'an address without a key in it');
  return `${url.origin}${url.pathname}`.replace(/\/$/, '');
}

function toProject(text: string | undefined, source: string): string {
  if (!text) return defaultProject();
  const project = text.includes('/') ? text : `local/${text}`;
  if (!isProjectId(project)) throw invalid(source, text, '"<entity>/<project>"');
  return project;
}

function toSample(sample: Sample | undefined, source: string): Sample | undefined {
  if (typeof sample !== 'number') return sample;
  if (!(sample >= 0 && sample <= 1)) throw invalid(source, String(sample), 'a number from 0 to 1');
  return sample;
}

function listOf(text: string | undefined): string[] | undefined {
  return text ? text.split(',').map((part) => part.trim()) : undefined;
}

function toHosts(hosts: readonly string[] | undefined, source: string): readonly string[] | undefined {
  if (hosts !== undefined && !Array.isArray(hosts)) throw invalid(source, String(hosts), 'a list of hosts');
  const wrong = hosts?.find((host) => typeof host !== 'string' || !isHostPattern(host));
  if (wrong !== undefined) throw invalid(source, String(wrong), 'a host like "api.example.com" or "*.example.com"');
  return hosts;
}

function toNumber(text: string | undefined): number | undefined {
  return text ? Number(text) : undefined;
}

function toPositive(text: string | undefined, source: string, fallback: number): number {
  if (!text) return fallback;
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw invalid(source, text, 'a number above 0');
  return value;
}

function isSwitchedOn(text: string | undefined): boolean {
  return text !== undefined && !['', '0', 'false', 'no', 'off'].includes(text.toLowerCase());
}

function invalid(source: string, value: string, wanted: string): TracingError {
  return new TracingError('invalid_configuration', `Cannot use ${source} "${value}": expected ${wanted}`);
}
