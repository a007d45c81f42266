import type { ReactElement } from 'react';
import { Foot } from '../controls/foot.tsx';
import { KeyCap } from '../controls/signs/key-cap.tsx';
import classes from './compare-foot.module.css';

const KEYS = [
  [['n', 'N'], 'difference'],
  [['j', 'k'], 'rows'],
  [['h', 'l'], 'fold'],
  [['o'], 'only changes'],
  [['x'], 'swap'],
] as const;

export function CompareFoot(): ReactElement {
  return (
    <Foot className={classes.foot}>
      <span className={classes.fitting}>
        {KEYS.map(([keys, words]) => (
          <Key key={words} keys={keys} words={words} />
        ))}
      </span>
      <Key keys={['?']} words="all keys" />
    </Foot>
  );
}

function Key({ keys, words }: { readonly keys: readonly string[]; readonly words: string }): ReactElement {
  return (
    <span className={classes.key}>
      {keys.map((key) => (
        <KeyCap key={key} keys={key} />
      ))}
      {words}
    </span>
  );
}
