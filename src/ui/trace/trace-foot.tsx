import type { ReactNode } from 'react';
import { Foot } from '../controls/foot.tsx';
import { KeyCap } from '../controls/signs/key-cap.tsx';
import type { TraceForm } from './trace-address.ts';
import classes from './trace-foot.module.css';

const TREE_KEYS = [
  [['j', 'k'], 'move'],
  [['h', 'l'], 'fold'],
  [['n'], 'next error'],
  [['p'], 'same op'],
  [['f'], 'zoom to call'],
] as const;

const CHART_KEYS = [
  [['z', 'Z'], 'zoom'],
  [['Shift+ArrowLeft', 'Shift+ArrowRight'], 'pan'],
  [['f'], 'zoom to call'],
  [['0'], 'fit'],
  [['n'], 'next error'],
  [['p'], 'same op'],
] as const;

export function TraceFoot({ form }: { readonly form: TraceForm }): ReactNode {
  return (
    <Foot className={classes.foot}>
      <span className={classes.fitting}>
        {(form === 'tree' ? TREE_KEYS : CHART_KEYS).map(([keys, words]) => (
          <Key key={words} keys={keys} words={words} />
        ))}
      </span>
      <Key keys={['?']} words="all keys" />
    </Foot>
  );
}

function Key({ keys, words }: { readonly keys: readonly string[]; readonly words: string }): ReactNode {
  return (
    <span className={classes.key}>
      {keys.map((key) => (
        <KeyCap key={key} keys={key} />
      ))}
      {words}
    </span>
  );
}
