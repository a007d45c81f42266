import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { isRef } from '../../protocol/ref.ts';
import { useContentSource } from './content-source.ts';
import { cutKeysOf, notKeptAt } from './cut-mark.ts';
import type { JsonRow, JsonRows } from './json-rows.ts';
import { LongString } from './long-string.tsx';
import classes from './json.module.css';
import { showControls } from './show-controls.ts';
import { countOf } from '../format/count.ts';
import { fileMarkerAt } from './stored-file.ts';
import { StoredFile } from './stored-file-view.tsx';
import { BIG_STRING, type StringValue, stringValueOf } from './string-value.ts';

export interface JsonValueTextProps {
  readonly row: JsonRow;
  readonly tree: JsonRows;
  readonly isFolded: boolean;
  readonly onOpen: () => void;
  readonly label: string;
}

/** The value of a row: what it is, or what is folded in it. */
export function JsonValueText({ row, tree, isFolded, onOpen }: JsonValueTextProps): ReactNode {
  const { node } = row;
  const comma = row.depth > 0 && row.position < row.siblings && !row.isOpen ? ',' : '';
  if (node.kind === 'string') return <StringText row={row} tree={tree} comma={comma} />;
  if (node.kind === 'object' || node.kind === 'array') {
    return <ContainerText row={row} tree={tree} isFolded={isFolded} onOpen={onOpen} comma={comma} />;
  }
  return (
    <span className={classes[node.kind]}>
      {tree.text.slice(node.start, node.end)}
      <span className={classes.sign}>{comma}</span>
    </span>
  );
}

/** Of a folded value so much is shown that it can be recognised. */
const PREVIEW = 120;

interface ContainerProps extends Omit<JsonValueTextProps, 'label'> {
  readonly comma: string;
}

function ContainerText({ row, tree, isFolded, onOpen, comma }: ContainerProps): ReactNode {
  const { node, group, isOpen } = row;
  if (group !== undefined) return null;
  const isList = node.kind === 'array';
  const notKept = isOpen ? undefined : notKeptAt(tree.text, node);
  if (notKept !== undefined) return <span className={classes.cut}>{notKept}</span>;
  const marker = fileMarkerAt(tree.text, node);
  if (marker !== undefined && !isOpen) return <StoredFile marker={marker} />;
  if (isOpen) return <span className={classes.sign}>{isList ? '[' : '{'}</span>;
  const count = tree.childrenOf(node).length;
  if (!isFolded || count === 0) return <span className={classes.sign}>{`${isList ? '[]' : '{}'}${comma}`}</span>;
  return (
    <button type="button" tabIndex={-1} className={classes.folded} onClick={onOpen}>
      <span className={classes.preview}>{previewOf(tree.text, node)}</span>
      <span className={classes.count}>{countOf(count, isList ? 'item' : 'key')}</span>
    </button>
  );
}

function previewOf(text: string, { start, end }: JsonRow['node']): string {
  const head = text.slice(start, Math.min(end, start + PREVIEW)).replace(/\s+/g, ' ');
  return showControls(end - start > PREVIEW ? `${head.toWellFormed()}…` : head);
}

interface StringProps {
  readonly row: JsonRow;
  readonly tree: JsonRows;
  readonly comma: string;
}

function StringText({ row, tree, comma }: StringProps): ReactNode {
  const value = stringValueOf(tree.text, row.node);
  if (!value.isWhole) return <LongString value={value} tree={tree} row={row} />;
  if (row.key === '_cut') return <span className={classes.cut}>{cutKeysOf(value.text) ?? quoted(value.text)}</span>;
  if (value.cut !== undefined) return <CutText value={value} />;
  if (isRef(value.text)) return <RefText text={value.text} comma={comma} />;
  return (
    <span className={classes.string}>
      <Foldable text={quoted(value.text)} />
      <span className={classes.sign}>{comma}</span>
    </span>
  );
}

function CutText({ value }: { readonly value: StringValue }): ReactNode {
  const { kept, said } = value.cut ?? { kept: '', said: '' };
  return (
    <span>
      {kept !== '' && (
        <>
          <span className={classes.string}>
            <Foldable text={quoted(kept)} />
          </span>{' '}
        </>
      )}
      <span className={classes.cut}>{said}</span>
    </span>
  );
}

function RefText({ text, comma }: { readonly text: string; readonly comma: string }): ReactNode {
  const href = useContentSource().hrefOfRef(text);
  return (
    <span className={classes.string}>
      {href === undefined ? (
        quoted(text)
      ) : (
        <Link className={classes.link} href={href}>
          {quoted(text)}
        </Link>
      )}
      <span className={classes.sign}>{comma}</span>
    </span>
  );
}

/** As JSON writes it, with what would be hidden written out. */
function quoted(text: string): string {
  return showControls(JSON.stringify(text.length > BIG_STRING ? text.slice(0, BIG_STRING) : text));
}

/** Longer texts take a few lines until somebody wants all of them. */
const SHORT = 600;

function Foldable({ text }: { readonly text: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (text.length <= SHORT + SHORT / 2) return <bdi>{text}</bdi>;
  return (
    <>
      <bdi>{isOpen ? text : `${text.slice(0, SHORT).toWellFormed()}…`}</bdi>{' '}
      <button type="button" className={classes.more} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'less' : countOf(text.length - SHORT, 'more character')}
      </button>
    </>
  );
}
