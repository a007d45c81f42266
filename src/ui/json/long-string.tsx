import { type ReactNode, useMemo, useState } from 'react';
import { saveFile } from '../data/save-file.ts';
import { decodeString } from './json-node.ts';
import type { JsonRow, JsonRows } from './json-rows.ts';
import classes from './json.module.css';
import { showControls } from './show-controls.ts';
import { formatBytes } from '../format/bytes.ts';
import { countOf } from '../format/count.ts';
import { SHOWN_OF_BIG, type StringValue, typeOfString } from './string-value.ts';

export interface LongStringProps {
  readonly value: StringValue;
  readonly tree: JsonRows;
  readonly row: JsonRow;
}

/** A string that nobody reads in a line: its type, its size and its beginning, with the way to all of it. */
export function LongString({ value, tree, row }: LongStringProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const whole = () => decodeString(tree.text, row.node.start, row.node.end).text;
  return (
    <span className={classes.long}>
      <Thumbnail value={value} tree={tree} row={row} />
      <span className={classes.facts}>
        {typeOfString(value)}, {formatBytes(value.length)}
        {value.cut !== undefined && <span className={classes.cut}> {value.cut.said}</span>}
        <span className={classes.ways}>
          <button type="button" className={classes.more} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
            {isOpen ? 'hide' : `first ${formatBytes(SHOWN_OF_BIG)}`}
          </button>
          <button
            type="button"
            className={classes.more}
            onClick={() => saveFile(new Blob([whole()], { type: 'text/plain' }), `${row.key ?? 'value'}.txt`)}
          >
            download
          </button>
        </span>
      </span>
      {isOpen && (
        <>
          <pre className={classes.text} dir="auto">
            {showControls(value.text)}
          </pre>
          <span className={classes.facts}>
            first {countOf(value.text.length, 'character')} of {value.length.toLocaleString('en')} shown
          </span>
        </>
      )}
    </span>
  );
}

/** Types that a browser shows as what they are and nothing else. */
const IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp);base64,/;
const LARGEST_SHOWN = 2_000_000;

function Thumbnail({ value, tree, row }: LongStringProps): ReactNode {
  const [isBroken, setBroken] = useState(false);
  const isImage = IMAGE.test(value.text) && value.length <= LARGEST_SHOWN && value.cut === undefined;
  const { text } = tree;
  const { start, end } = row.node;
  const address = useMemo(
    () => (isImage ? decodeString(text, start, end).text : undefined),
    [isImage, text, start, end],
  );
  if (address === undefined || isBroken) return null;
  return <img className={classes.thumbnail} src={address} alt="" onError={() => setBroken(true)} />;
}
