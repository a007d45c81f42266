import { type ReactNode, useState } from 'react';
import { cutMarkOf } from './cut-mark.ts';
import { saveFile } from '../data/save-file.ts';
import classes from './json.module.css';
import { looksLikeMarkdown, MarkdownText } from './markdown-text.tsx';
import { showControls } from './show-controls.ts';
import { formatBytes } from '../format/bytes.ts';
import { countOf } from '../format/count.ts';
import { BIG_STRING, looksLikeBase64, SHOWN_OF_BIG } from './string-value.ts';

/** Texts above this length show their beginning first. */
const LONG = 4000;

export interface LongTextProps {
  readonly text: string;
  /** Name of the file in which it is downloaded. */
  readonly name: string;
  /** Is it to be shown as it is, whatever it looks like? */
  readonly isPlain?: boolean;
}

/** A text for reading: in paragraphs, as markdown where it is that, and a long one from its beginning. */
export function LongText({ text, name, isPlain = false }: LongTextProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const cut = cutMarkOf(text.slice(-200), text.length);
  const whole = cut === undefined ? text : text.slice(0, text.length - (text.slice(-200).length - cut.kept.length));
  const isBig = whole.length > BIG_STRING || looksLikeBase64(whole);
  const isCut = isBig || (whole.length > LONG && !isOpen);
  const shown = isCut ? whole.slice(0, SHOWN_OF_BIG).toWellFormed() : whole;
  return (
    <>
      {isPlain || isCut || !looksLikeMarkdown(shown) ? <PlainText text={shown} /> : <MarkdownText text={shown} />}
      {cut !== undefined && <p className={classes.cut}>{cut.said}</p>}
      {whole.length > LONG && (
        <p className={classes.facts}>
          {isCut && `first ${countOf(shown.length, 'character')} of ${whole.length.toLocaleString('en')} shown `}
          {!isBig && (
            <button type="button" className={classes.more} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'show less' : 'show all'}
            </button>
          )}{' '}
          <button
            type="button"
            className={classes.more}
            onClick={() => saveFile(new Blob([whole], { type: 'text/plain' }), `${name}.txt`)}
          >
            download {formatBytes(whole.length)}
          </button>
        </p>
      )}
    </>
  );
}

export function PlainText({ text }: { readonly text: string }): ReactNode {
  return (
    <p className={classes.prose} dir="auto">
      {showControls(text)}
    </p>
  );
}
