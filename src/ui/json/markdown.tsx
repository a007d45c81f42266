import { type ReactNode, useLayoutEffect, useRef } from 'react';
import classes from './json.module.css';
import { markdownFragment } from './markdown-fragment.ts';

/** Markdown of a trace, which may have been written to do harm: see `markdownFragment`. */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    holder.current?.replaceChildren(markdownFragment(text));
  }, [text]);
  return <div ref={holder} className={classes.markdown} dir="auto" />;
}
