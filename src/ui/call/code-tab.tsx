import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type ReactElement, useMemo } from 'react';
import { isRef } from '../../protocol/ref.ts';
import { placeOf } from '../../protocol/values/code-place.ts';
import { IconButton } from '../controls/button.tsx';
import { useCopy } from '../controls/use-copy.ts';
import { Failure } from '../controls/failure.tsx';
import { showControls } from '../json/show-controls.ts';
import { fileMarkerOf } from '../json/stored-file.ts';
import classes from './call-detail.module.css';
import type { CallRecord } from './call-record.ts';
import { type CallSource, useCallSource } from './call-source.ts';
import { type CodeToken, codeLines } from './code-tokens.ts';
import { type SourceLines, sourceLinesOf } from './source-lines.ts';
import { useOpenFile } from './use-open-file.ts';

/** The source of the version of the op that ran. */
export function CodeTab({ record }: { readonly record: CallRecord }): ReactElement {
  const source = useCallSource();
  const openFile = useOpenFile();
  const copy = useCopy();
  const place = placeOf(record.attributes.value);
  const isVersion = isRef(record.opName);
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['source', record.opName],
    enabled: isVersion,
    queryFn: async ({ signal }) => (await readSource(source, record.opName, signal)) ?? null,
  });
  if (!isVersion) return <p className={classes.missing}>No source was recorded: only traced functions have one.</p>;
  if (error !== null)
    return <Failure what="The source could not be read" error={error} onRetry={() => void refetch()} />;
  if (isPending) return <p className={classes.missing}>reading…</p>;
  if (data === null || data === undefined) return <p className={classes.missing}>The source is not kept here.</p>;
  const lines = sourceLinesOf(record, data.code);
  const shownPlace = lines === undefined ? place : { file: lines.file, line: lines.failed };
  const own = place === undefined ? data.name : `traced at ${place.file}:${place.line}`;
  return (
    <div>
      <div className={classes.codeBar}>
        {data.version !== undefined && <span className="num-s">v{data.version}</span>}
        <span className="muted cut" title={lines === undefined ? COUNTED : undefined}>
          {showControls(lines === undefined ? own : `${lines.file}:${lines.first}`)}
        </span>
        <span className="grow" />
        {openFile !== undefined && shownPlace !== undefined && (
          <IconButton icon="open" isSmall label="Open these lines in editor" onClick={() => openFile(shownPlace)} />
        )}
        <IconButton icon="copy" isSmall label="Copy source" onClick={() => copy(data.code)} />
      </div>
      <CodeText code={data.code} ending={data.name.split('.').at(-1) ?? ''} placed={lines} />
    </div>
  );
}

const COUNTED = 'Lines are counted from the first one of the source';

interface OpSource {
  readonly name: string;
  readonly code: string;
  readonly version: number | undefined;
}

async function readSource(source: CallSource, ref: string, signal: AbortSignal): Promise<OpSource | undefined> {
  const object = await source.readObject(ref, signal);
  const marker = fileMarkerOf(object?.value);
  if (object === undefined || marker === undefined) return undefined;
  const blob = await source.readFile(marker.digest, signal);
  return blob && { name: marker.name, code: await blob.text(), version: object.version };
}

interface CodeTextProps {
  readonly code: string;
  readonly ending: string;
  /** Absent: lines are counted from the first one, since nobody knows where they stand. */
  readonly placed: SourceLines | undefined;
}

function CodeText({ code, ending, placed }: CodeTextProps): ReactElement {
  // The end of the last line begins none.
  const lines = useMemo(() => codeLines(code.replace(/\n$/, ''), ending), [code, ending]);
  const first = placed?.first ?? 1;
  return (
    <pre className={classes.code} role="region" aria-label="Source" tabIndex={0}>
      {lines.map((tokens, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <CodeLine key={index} tokens={tokens} number={first + index} isFailed={first + index === placed?.failed} />
      ))}
    </pre>
  );
}

interface CodeLineProps {
  readonly tokens: readonly CodeToken[];
  readonly number: number;
  readonly isFailed: boolean;
}

function CodeLine({ tokens, number, isFailed }: CodeLineProps): ReactElement {
  const blanks = /^\s*/.exec(tokens[0]?.text ?? '')?.[0].length ?? 0;
  return (
    <div
      className={isFailed ? `${classes.codeLine} ${classes.failedLine}` : classes.codeLine}
      style={{ '--blanks': `${blanks}ch` } as CSSProperties}
    >
      <span className={classes.lineNumber} aria-hidden="true">
        {number}
      </span>
      <code>
        {isFailed && <span className="vh">Failed here: </span>}
        {tokens.map(({ kind, text }, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <span key={at} className={kind === 'plain' ? undefined : classes[kind]}>
            {showControls(text)}
          </span>
        ))}
      </code>
    </div>
  );
}
