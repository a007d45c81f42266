import type { ReactNode } from 'react';
import { latePart } from '../controls/late-part.tsx';
import classes from './json.module.css';
import { showControls } from './show-controls.ts';

const Markdown = latePart(
  async () => (await import('./markdown.tsx')).Markdown,
  ({ text }: { readonly text: string }) => <PlainText text={text} />,
);

const SIGNS = /^#{1,6} \S|^\s*(?:[-*+]|\d+\.) \S|^```|\*\*\S|`[^`\n]+`|\[[^\]\n]+\]\([^)\s]+\)|^\|.+\|$|^> /m;

/** Is it worth the parser? Most texts are just that. */
export function looksLikeMarkdown(text: string): boolean {
  return SIGNS.test(text);
}

/** Markdown, whose parser is loaded when there is some: until then the text as it is. */
export function MarkdownText({ text }: { readonly text: string }): ReactNode {
  return <Markdown text={text} />;
}

function PlainText({ text }: { readonly text: string }): ReactNode {
  return (
    <p className={classes.prose} dir="auto">
      {showControls(text)}
    </p>
  );
}
