import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadedLibrary, nothingRecorded } from '../protocol/process/nothing-recorded.ts';
import { allOf, field, type Reader } from '../reader/reader.ts';
import { connect } from './known-service.ts';
import { formatCount } from './output/numbers.ts';
import { shortIds } from './short-id.ts';

/** Where the calls of a run are. */
export interface RunService {
  readonly url: string;
  /** It ends with the run. */
  readonly isOurs: boolean;
}

interface RunProcess {
  readonly pid: number;
  readonly libraries?: readonly LoadedLibrary[];
}

interface RunCounts {
  readonly calls: number;
  readonly failed: number;
  readonly traceIds: readonly string[];
}

/** Of more traces it is not told how many there are. */
const MAX_TRACES = 1000;

/** A program that is run, with all processes that it starts: they say so in a file. */
export class Run {
  readonly #folder = mkdtempSync(join(tmpdir(), 'spoor-run-'));
  readonly #began = Date.now() / 1000;

  /** For the program. */
  get environment(): NodeJS.ProcessEnv {
    return { SPOOR_RUN_FILE: this.#file };
  }

  get #file(): string {
    return join(this.#folder, 'processes.jsonl');
  }

  /**
   * The summary of what the service has of the run, or why that is nothing; `undefined` where nothing can be said.
   *
   * @param code the exit code of the command; null when a signal ended it
   */
  async summary(service: RunService | undefined, code: number | null): Promise<string | undefined> {
    const processes = this.#processes();
    rmSync(this.#folder, { recursive: true, force: true });
    if (service === undefined) return undefined;
    if (processes.length === 0)
      return 'no Node started with it, so nothing was recorded: other programs send OpenTelemetry';
    try {
      const counts = await countsOf(service.url, { processes, began: this.#began });
      if (counts.calls > 0) return foundText(counts, service);
      const libraries = processes.flatMap((process) => process.libraries ?? []);
      // It may not have come to what records.
      return libraries.length === 0 && code
        ? `nothing was recorded: the command failed with exit code ${code}`
        : nothingRecorded(libraries);
    } catch (error) {
      // The program has run, and what it recorded is safe.
      return `what was recorded cannot be counted: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  #processes(): RunProcess[] {
    try {
      const lines = readFileSync(this.#file, 'utf8').trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line) as RunProcess);
    } catch {
      // No process has loaded what records.
      return [];
    }
  }
}

interface Ran {
  readonly processes: readonly RunProcess[];
  /** Unix seconds. */
  readonly began: number;
}

async function countsOf(url: string, ran: Ran): Promise<RunCounts> {
  const { reader } = connect({ url, ...keyOf(process.env) });
  const projects = (await reader.page.projects()).filter(
    ({ last_started_at: last }) => last !== null && Date.parse(last) / 1000 >= ran.began,
  );
  const counts: RunCounts[] = [];
  for (const { project_id } of projects) counts.push(await countsIn(reader, project_id, ran));
  return {
    calls: counts.reduce((sum, { calls }) => sum + calls, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    traceIds: counts.flatMap(({ traceIds }) => traceIds),
  };
}

function keyOf({ SPOOR_API_KEY: key }: NodeJS.ProcessEnv): { readonly key?: string } {
  return key === undefined ? {} : { key };
}

/** The outermost calls of a process tell which one it is. */
async function countsIn(reader: Reader, project_id: string, { processes, began }: Ran): Promise<RunCounts> {
  const pids = [...new Set(processes.map(({ pid }) => pid))];
  const query = allOf([
    field('started_at').gte(began),
    field('attributes.svc.host').eq(hostname()),
    field('attributes.svc.pid').in(pids),
  ]);
  const sort_by = [{ field: 'started_at', direction: 'desc' as const }];
  const traceIds = new Set<string>();
  const roots = reader.calls.query({ project_id, query, sort_by, columns: ['id'], limit: 10 * MAX_TRACES });
  for await (const { trace_id: id } of roots) if (traceIds.size < MAX_TRACES) traceIds.add(id);
  if (traceIds.size === 0) return { calls: 0, failed: 0, traceIds: [] };
  const { count, errors } = await reader.page.stats({ project_id, filter: { trace_ids: [...traceIds] } });
  return { calls: count, failed: errors, traceIds: [...traceIds] };
}

function foundText({ calls, failed, traceIds }: RunCounts, { isOurs }: RunService): string {
  const [newest = ''] = traceIds;
  const atLeast = traceIds.length >= MAX_TRACES ? 'at least ' : '';
  const facts = [
    `${atLeast}${counted(calls, 'call')} in ${counted(traceIds.length, 'trace')}`,
    ...(failed === 0 ? [] : [`${formatCount(failed)} failed`]),
  ];
  const show = `spoor show ${shortIds(traceIds)(newest)}`;
  return `${facts.join(', ')} — ${isOurs ? `start "npx spoor", then npx ` : ''}${show}`;
}

function counted(count: number, thing: string): string {
  return `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`;
}
