import { defaultProject, wholeProject } from '../client/project-name.ts';
import { isProjectId } from '../protocol/values/id.ts';
import { createReader, type Reader } from '../reader/reader.ts';
import { readServerFile, serverFileRefusal } from '../spool/server-file.ts';
import { stateFolder } from '../spool/state-folder.ts';
import { UsageError } from './failure.ts';
import { serviceFetch } from './network/service-fetch.ts';

/** Options every command takes that talks to a service; unset ones come from the environment. */
export interface ServiceOptions {
  readonly url?: string;
  readonly key?: string;
  readonly project?: string;
}

export interface KnownService {
  readonly url: string;
  /** `undefined`: none is known for this address. */
  readonly apiKey: string | undefined;
  /** Named by option or variable, or found in the state folder. */
  readonly isNamed: boolean;
  /** Of the service, where it is the one of the state folder and has one. */
  readonly dataFolder: string | undefined;
  /** The same of its database, without user and password. */
  readonly database: string | undefined;
}

/** The service to talk to: the one that is named, else the one that runs for this state folder. */
export function findService(options: ServiceOptions): KnownService | undefined {
  const home = stateFolder();
  const local = home === undefined ? undefined : readServerFile(home);
  const url = options.url || local?.url;
  if (url === undefined) return undefined;
  // The local key is sent to its own address only.
  const own = local && isSameAddress(url, local.url) ? local : undefined;
  const place = { dataFolder: own?.data, database: own?.database };
  return { url, apiKey: options.key || own?.apiKey, isNamed: Boolean(options.url), ...place };
}

export function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

export function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** A service as it is read, with the project that requests mean. */
export interface ProjectReader {
  readonly reader: Reader;
  readonly project: string;
}

/** A reader of the service and project that options, environment and state folder name. */
export function connect(options: ServiceOptions): ProjectReader {
  const { url, apiKey } = serviceOf(options);
  const project = projectNamed(options);
  return { reader: createReader({ url, apiKey, project, fetch: serviceFetch }), project };
}

/** The service to talk to, with its key; throws what to do when there is none. */
export function serviceOf(options: ServiceOptions): { readonly url: string; readonly apiKey: string } {
  const service = findService(options);
  if (!service) refuseDistrusted();
  if (!service)
    throw new Error('No service is running here: start one with "npx spoor", or name one with --url or SPOOR_URL');
  const { url, apiKey } = service;
  if (!isHttpUrl(url)) throw new UsageError(`The address "${url}" is not a URL of http or https`);
  if (apiKey === undefined) throw new Error(`No key is known for ${url}: name it with --key or SPOOR_API_KEY`);
  return { url, apiKey };
}

/** There may be a service, which a file names that somebody else can have written. */
function refuseDistrusted(): void {
  const home = stateFolder();
  const refusal = home === undefined ? undefined : serverFileRefusal(home);
  if (refusal !== undefined) throw new Error(`Cannot believe ${refusal}`);
}

export function projectNamed(options: ServiceOptions): string {
  const project = options.project ? wholeProject(options.project) : defaultProject();
  if (!isProjectId(project)) throw new UsageError(`The project "${project}" is not of the form entity/project`);
  return project;
}
