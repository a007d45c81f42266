import { lazy, type ReactNode, Suspense } from 'react';
import classes from './json.module.css';
import { showControls } from './show-controls.ts';

const Markdown = lazy(() => import('./markdown.tsx'));

const SIGNS = /^#{1,6} \S|^\s*(?:[-*+]|\d+\.) \S|^```|\*\*\S|`[^`\n]+`|\[[^\]\n]+\]\([^)\s]+\)|^\|.+\|$|^> /m;

/** Is it worth the parser? Most texts are just that. */
export function looksLikeMarkdown(text: string): boolean {
  return SIGNS.test(text);
}

/** Markdown, whose parser is loaded when there is some: until then, and if that fails, the text as it is. */
export function MarkdownText({ text }: { readonly text: string }): ReactNode {
  const plain = (
    <p className={classes.prose} dir="auto">
      {showControls(text)}
    </p>
  );
  return (
    <Suspense fallback={plain}>
      <Markdown text={text} />
    </Suspense>
  );
}
