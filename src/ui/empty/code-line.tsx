import type { ReactElement } from 'react';
import classes from './empty-page.module.css';

const PIECES =
  /(?<text>'[^'\n]*'|"[^"\n]*"|`[^`]*`)|(?<word>\b(?:import|from|const|await|async|function|return|def|export)\b)|(?<name>\b(?:traced|trace|spoor)\b(?=[(\s}]))/g;

/** A few lines of code, coloured enough to be read. */
export function CodeLine({ text }: { readonly text: string }): ReactElement {
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
