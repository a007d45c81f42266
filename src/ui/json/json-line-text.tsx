import type { ReactElement } from 'react';
import { showControls } from './show-controls.ts';
import classes from './json.module.css';

const TOKEN =
  /(?<string>"(?:[^"\\]|\\.)*"?)(?<colon>\s*:\s*)?|(?<number>-?\d[\d.eE+-]*)|(?<word>true|false|null)|(?<sign>[{}[\]]|,\s*)|(?<rest>[^"{}[\],]+?)(?=["{}[\],]|$)/gu;

/** Blanks by which signs stand apart: those of objects, and behind each comma. */
const SPACED: Readonly<Record<string, string>> = { '{': '{ ', '}': ' }', ',': ', ' };

interface Token {
  readonly text: string;
  readonly className: string | undefined;
}

/** A preview of JSON in one line, which may be cut anywhere: with the colours and blanks that it is read by. Other texts stay. */
export function JsonLineText({ text }: { readonly text: string }): ReactElement {
  if (!/^\s*[{[]/.test(text)) return <>{showControls(text)}</>;
  return (
    <>
      {[...text.matchAll(TOKEN)].flatMap(tokensOf).map(({ text: piece, className }, index) => (
        // Pieces of one text never change their order.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={className}>
          {showControls(piece)}
        </span>
      ))}
    </>
  );
}

function tokensOf({ 0: whole, groups }: RegExpExecArray): readonly Token[] {
  const { string, colon, number, word, sign } = groups ?? {};
  if (string !== undefined && colon !== undefined)
    return [
      { text: string, className: classes['key'] },
      { text: ': ', className: classes['sign'] },
    ];
  if (string !== undefined) return [{ text: string, className: classes['string'] }];
  if (number !== undefined) return [{ text: number, className: classes['number'] }];
  if (word !== undefined) return [{ text: word, className: classes['word'] }];
  if (sign !== undefined) return [{ text: SPACED[sign.trimEnd()] ?? sign, className: classes['sign'] }];
  return [{ text: whole, className: undefined }];
}
