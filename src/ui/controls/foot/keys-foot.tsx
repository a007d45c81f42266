import type { ReactElement } from 'react';
import { Foot } from './foot.tsx';
import classes from './keys-foot.module.css';
import { KeyCap } from '../signs/key-cap.tsx';

/** Keys that do one thing, in one direction or the other, and its words. */
export type FootKeys = readonly [keys: readonly string[], words: string];

const ALL_KEYS: readonly FootKeys[] = [[['?'], 'all keys']];

export interface KeysFootProps {
  /** The keys that help most, those first; absent where the page is not there yet. */
  readonly keys?: readonly FootKeys[];
}

/** The last line of a page that is worked with keys; phones have neither. */
export function KeysFoot({ keys }: KeysFootProps): ReactElement {
  return (
    <Foot className={classes.foot}>
      {keys !== undefined && (
        <>
          <span className={classes.fitting}>
            <Keys keys={keys} />
          </span>
          <Keys keys={ALL_KEYS} />
        </>
      )}
    </Foot>
  );
}

function Keys({ keys }: { readonly keys: readonly FootKeys[] }): ReactElement[] {
  return keys.map(([caps, words]) => (
    <span key={words} className={classes.key}>
      {caps.map((cap) => (
        <KeyCap key={cap} keys={cap} />
      ))}
      {words}
    </span>
  ));
}
