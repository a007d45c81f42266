import type { ReactNode } from 'react';
import classes from './json.module.css';
import type { BrokenJson } from './scan.ts';
import { showControls } from './show-controls.ts';
import { SHOWN_OF_BIG } from './string-value.ts';

/** A text that should have been JSON: shown as it is, with the place where it stops being that. */
export function BrokenText({ text, broken }: { readonly text: string; readonly broken: BrokenJson }): ReactNode {
  return (
    <div>
      <p className={classes.note} role="status">
        Not JSON from character {(broken.at + 1).toLocaleString('en')} on: {broken.message}
      </p>
      <pre className={classes.text} dir="auto">
        {showControls(text.slice(0, SHOWN_OF_BIG))}
      </pre>
    </div>
  );
}
