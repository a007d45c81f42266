import type { Cause, VersionChange } from '../../reader/compare/cause.ts';
import { type ComparedTrace, compareTraces, previousTrace } from '../../reader/compare/compare-traces.ts';
import type { ComparedSide, Comparison, Origin } from '../../reader/compare/comparison.ts';
import { numbersOf } from '../../reader/compare/numbers.ts';
import { standingOf } from '../../reader/compare/origins.ts';
import { type NamedVersion, versionIndex, versionText } from '../../reader/compare/version-text.ts';
import type { Reader } from '../../reader/reader.ts';
import { opOf } from '../call-row.ts';
import { NoAnswerError, UsageError } from '../failure.ts';
import type { FoundTrace } from '../find-trace.ts';
import { connect, type ServiceOptions } from '../known-service.ts';
import { namedTrace, newestTrace } from '../named-trace.ts';
import { colors } from '../output/colors.ts';
import { comparisonLines } from '../output/compared/comparison.ts';
import { printJson } from '../output/json.ts';
import { lineDiff } from '../output/compared/line-diff.ts';
import { toLine } from '../output/plain-text.ts';

export interface DiffOptions extends ServiceOptions {
  /** Prints calls that are the same, too. */
  readonly all?: true;
  /** Prints how sources and objects differ that have other versions. */
  readonly code?: true;
  /** Ends with code 1 where anything but numbers differs, and with 2 where that cannot be said. */
  readonly exitCode?: true;
  readonly json?: true;
}

const PREVIOUS = 'prev';

/** Prints where two traces differ, and what from; `prev` is the trace before the other one, and is A. */
export async function diff(a: string | undefined, b: string | undefined, options: DiffOptions): Promise<void> {
  if (options.exitCode !== true) {
    await tell([a, b], options);
    return;
  }
  try {
    const { isSame, origins } = await tell([a, b], options);
    // Without an origin nothing is known to differ: what was cut may.
    if (!isSame) process.exitCode = origins.length > 0 ? 1 : 2;
  } catch (error) {
    throw new NoAnswerError(error);
  }
}

async function tell(
  [a, b]: readonly [string | undefined, string | undefined],
  options: DiffOptions,
): Promise<Comparison> {
  const { reader } = connect(options);
  const sides = await sidesOf(reader, [a, b], options);
  const comparison = await compareTraces(reader, [sides.a, sides.b]);
  const told = changesTold(comparison, options);
  const versions = await versionsOf(reader, comparison, { sides, wantsText: told.length > 0 });
  if (options.json) printJson(toJson(comparison, { sides, versions }));
  else
    process.stdout.write(`${linesOf(comparison, { sides, versions, told, isAll: options.all === true }).join('\n')}\n`);
  return comparison;
}

type Side = ComparedTrace & { readonly project_id: string };

interface Sides {
  readonly a: Side;
  readonly b: Side;
}

async function sidesOf(
  reader: Reader,
  [a, b = PREVIOUS]: readonly [string | undefined, string | undefined],
  options: DiffOptions,
): Promise<Sides> {
  if (a === PREVIOUS && b === PREVIOUS)
    throw new UsageError('Only one of both can be "prev": name the other by its id');
  if (a !== PREVIOUS && b !== PREVIOUS) {
    return { a: toSide(await given(a, options)), b: toSide(await given(b, options)) };
  }
  const later = toSide(await given(a === PREVIOUS ? b : a, options));
  const earlier = await previousTrace(reader, later);
  if (earlier === undefined) throw new Error(`There is no trace of the same op before ${later.trace_id}`);
  return { a: { ...earlier, project_id: later.project_id }, b: later };
}

async function given(text: string | undefined, options: DiffOptions): Promise<FoundTrace> {
  return text === undefined ? newestTrace(options) : namedTrace(text, options);
}

function toSide({ project, target: { traceId, callId } }: FoundTrace): Side {
  return { project_id: project, trace_id: traceId, ...(callId === undefined ? {} : { call_id: callId }) };
}

/** Changes of which both texts are printed, with what they are a change of: those asked for, or the only one that there is. */
function changesTold({ origins }: Comparison, { code, json }: DiffOptions): readonly Origin[] {
  if (code !== true && (json === true || origins.length !== 1)) return [];
  return origins.filter(({ cause }) => versionChanges(cause).length > 0);
}

function versionChanges(cause: Cause | null): readonly VersionChange[] {
  if (cause?.kind === 'code') return [cause.version];
  return cause?.kind === 'object' ? cause.objects.filter(({ kind }) => kind !== 'table') : [];
}

interface KnownVersion {
  readonly name: string;
  readonly digest: string;
  readonly index: number;
  readonly text?: string;
}

interface VersionsWanted {
  readonly sides: Sides;
  readonly wantsText: boolean;
}

/** Versions that differ, as far as the service has them. */
async function versionsOf(
  reader: Reader,
  { calls }: Comparison,
  { sides, wantsText }: VersionsWanted,
): Promise<readonly KnownVersion[]> {
  const wanted = new Map<string, NamedVersion>();
  for (const { name, a, b } of calls.flatMap(({ cause }) => versionChanges(cause))) {
    wanted.set(keyOf(name, a), { name, digest: a, project_id: sides.a.project_id });
    wanted.set(keyOf(name, b), { name, digest: b, project_id: sides.b.project_id });
  }
  const known: KnownVersion[] = [];
  // One after another: a key may ask so many things at a time.
  for (const version of wanted.values()) {
    const { name, digest } = version;
    const found = wantsText ? await versionText(reader, version) : await versionIndex(reader, version);
    if (typeof found === 'number') known.push({ name, digest, index: found });
    else if (found !== undefined) known.push({ name, digest, ...found });
  }
  return known;
}

function keyOf(name: string, digest: string): string {
  return `${name} ${digest}`;
}

interface Printing {
  readonly sides: Sides;
  readonly versions: readonly KnownVersion[];
}

interface PrintingLines extends Printing {
  readonly told: readonly Origin[];
  readonly isAll: boolean;
}

function linesOf(comparison: Comparison, { sides, versions, told, isAll }: PrintingLines): string[] {
  const known = new Map(versions.map((version) => [keyOf(version.name, version.digest), version]));
  const indexOf = (name: string, digest: string) => known.get(keyOf(name, digest))?.index;
  const projects = { a: sides.a.project_id, b: sides.b.project_id };
  return [
    ...comparisonLines(comparison, { indexOf, isAll, projects }),
    ...told
      .flatMap(({ cause }) => versionChanges(cause))
      .flatMap(({ name, a, b }) => {
        const [before, after] = [known.get(keyOf(name, a))?.text, known.get(keyOf(name, b))?.text];
        if (before === undefined || after === undefined) return [];
        return ['', colors.bold(toLine(name)), ...lineDiff(before, after)];
      }),
  ];
}

/** Calls by their ids, each with its numbers. */
function toJson(comparison: Comparison, { sides, versions }: Printing): object {
  return {
    a: sideJson(sides.a, comparison.a),
    b: sideJson(sides.b, comparison.b),
    isSame: comparison.isSame,
    origins: comparison.origins,
    times: comparison.times,
    counts: comparison.counts,
    versions,
    calls: comparison.calls.map((compared) => {
      const { a, b, parent, cause, isOrigin, isMoved, isCut } = compared;
      const call = b ?? a;
      return {
        op: call && opOf(call),
        a: a && { id: a.id, ...numbersOf(a) },
        b: b && { id: b.id, ...numbersOf(b) },
        parent,
        kind: standingOf(compared),
        cause,
        isOrigin,
        isMoved,
        isCut,
      };
    }),
  };
}

function sideJson(side: Side, numbers: ComparedSide): object {
  return { ...side, ...numbers };
}
