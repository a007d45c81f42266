import { type ReactElement, type ReactNode, useState } from 'react';
import { IconButton } from '../controls/button.tsx';
import { useCopy } from '../controls/use-copy.ts';
import { formatBytes } from '../format/bytes.ts';
import { countOf } from '../format/count.ts';
import { saveFile } from '../data/save-file.ts';
import { childrenOf, decodeString } from '../json/json-node.ts';
import { JsonView } from '../json/json-view.tsx';
import { LongText } from '../json/long-text.tsx';
import { fileMarkerAt } from '../json/stored-file.ts';
import { StoredFile } from '../json/stored-file-view.tsx';
import classes from './call-detail.module.css';
import type { Part } from './call-record.ts';

/** Copying more than this stops the page. */
const MAX_COPIED = 5_000_000;

export interface PartSectionProps {
  readonly name: string;
  readonly part: Part;
  readonly text: string;
  /** The text where there is no value. */
  readonly none: ReactNode;
}

/** A member of a call with its name, its size, and ways to search and to have it. */
export function PartSection({ name, part: { node }, text, none }: PartSectionProps): ReactElement {
  const copy = useCopy();
  const [isFinding, setFinding] = useState(false);
  const [isExpanded, setExpanded] = useState<boolean | undefined>(undefined);
  const label = name.toLowerCase();
  // A long text that a function returns is all of its output.
  const file = fileMarkerAt(text, node);
  const isTree = node.kind !== 'string' && file === undefined;
  const isNone = node.end === 0 || text.slice(node.start, node.start + 4) === 'null' || isEmpty(text, node);
  const source = () => text.slice(node.start, node.end);
  return (
    <section className={classes.part}>
      <header>
        <h3>{name}</h3>
        <span className="num-s faint">
          {isNone && none}
          {!isNone && file === undefined && `${contentsOf(text, node)}${formatBytes(node.end - node.start)}`}
        </span>
        <span className="grow" />
        {!isNone && (
          <>
            {isTree && (
              <IconButton
                icon="unfold"
                isSmall
                label={isExpanded === true ? `Fold all of ${label}` : `Expand all of ${label}`}
                onClick={() => setExpanded(isExpanded !== true)}
              />
            )}
            {isTree && (
              <IconButton icon="search" isSmall label={`Search in ${label}`} onClick={() => setFinding(!isFinding)} />
            )}
            {node.end - node.start < MAX_COPIED && (
              <IconButton icon="copy" isSmall label={`Copy ${label}`} onClick={() => copy(source())} />
            )}
            <IconButton
              icon="download"
              isSmall
              label={`Download ${label}`}
              onClick={() => saveFile(new Blob([source()], { type: 'application/json' }), `${label}.json`)}
            />
          </>
        )}
      </header>
      {!isNone && node.kind === 'string' && (
        <LongText text={decodeString(text, node.start, node.end).text} name={label} />
      )}
      {file !== undefined && <StoredFile marker={file} />}
      {!isNone && isTree && (
        <JsonView
          text={text}
          node={node}
          label={label}
          isFinding={isFinding}
          onFindEnd={() => setFinding(false)}
          isExpanded={isExpanded}
        />
      )}
    </section>
  );
}

function isEmpty(text: string, { kind, start, end }: Part['node']): boolean {
  return (kind === 'object' || kind === 'array') && text.slice(start + 1, end - 1).trim() === '';
}

/** Larger values are not counted for a label. */
const COUNTED = 1_000_000;

function contentsOf(text: string, node: Part['node']): string {
  if (node.kind !== 'object' && node.kind !== 'array') return '';
  if (node.end - node.start > COUNTED) return '';
  return `${countOf(childrenOf(text, node).length, node.kind === 'object' ? 'key' : 'item')} · `;
}
