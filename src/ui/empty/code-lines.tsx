import type { CSSProperties, ReactElement } from 'react';
import classes from './empty-page.module.css';

const PIECES =
  /(?<text>'[^'\n]*'|"[^"\n]*"|`[^`\n]*`)|(?<word>\b(?:import|from|const|await|async|function|return|def|export)\b)|(?<name>\btraced\b)/g;

/** A few lines of code, coloured enough to be read; what has no room in a line goes on below, further in than it begins. */
export function CodeLines({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      {text.split('\n').map((line, index) => (
        // Lines of one text never change their order.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={classes.line} style={{ '--blanks': `${blanksOf(line)}ch` } as CSSProperties}>
          <CodeLine text={line} />
        </span>
      ))}
    </>
  );
}

function blanksOf(line: string): number {
  return line.length - line.trimStart().length;
}

function CodeLine({ text }: { readonly text: string }): ReactElement {
  const parts: ReactElement[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECES)) {
    parts.push(<span key={end}>{text.slice(end, match.index)}</span>);
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? 'text';
    parts.push(
      <span key={`${end}-${kind}`} className={classes[kind]}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}
