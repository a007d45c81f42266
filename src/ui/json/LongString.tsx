import { type ReactNode, useState } from 'react';
import { download } from './copy-text.ts';
import { decodeString } from './json-node.ts';
import type { JsonRow, JsonRows } from './json-rows.ts';
import styles from './json.module.css';
import { showControls } from './show-controls.ts';
import { countText, sizeText } from './size-text.ts';
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
    <span className={styles['long']}>
      <span className={styles['facts']}>
        {typeOfString(value)}, {sizeText(value.length)}
        {value.cut !== undefined && <span className={styles['cut']}> {value.cut.said}</span>}
      </span>
      <button type="button" className={styles['more']} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? 'hide' : `first ${sizeText(SHOWN_OF_BIG)}`}
      </button>
      <button
        type="button"
        className={styles['more']}
        onClick={() => download(`${row.key ?? 'value'}.txt`, new Blob([whole()], { type: 'text/plain' }))}
      >
        download
      </button>
      {isOpen && (
        <>
          <pre className={styles['text']} dir="auto">
            {showControls(value.text)}
          </pre>
          <span className={styles['facts']}>
            first {countText(value.text.length, 'character')} of {value.length.toLocaleString('en')} shown
          </span>
        </>
      )}
    </span>
  );
}
