import { type ReactNode, useState } from 'react';
import { download } from './copy-text.ts';
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
      <span className={classes.facts}>
        {typeOfString(value)}, {formatBytes(value.length)}
        {value.cut !== undefined && <span className={classes.cut}> {value.cut.said}</span>}
      </span>
      <button type="button" className={classes.more} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? 'hide' : `first ${formatBytes(SHOWN_OF_BIG)}`}
      </button>
      <button
        type="button"
        className={classes.more}
        onClick={() => download(`${row.key ?? 'value'}.txt`, new Blob([whole()], { type: 'text/plain' }))}
      >
        download
      </button>
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
