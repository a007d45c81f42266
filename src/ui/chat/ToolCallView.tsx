import type { ReactNode } from 'react';
import { JsonValue } from '../json/JsonValue.tsx';
import { LongText } from '../json/LongText.tsx';
import { showControls } from '../json/show-controls.ts';
import { KindBox } from '../parts/KindBox.tsx';
import type { ToolCallPart } from './chat.ts';
import styles from './chat.module.css';
import { useToolCallHref } from './tool-call-href.ts';
import { ResultParts } from './ToolResultView.tsx';

/** A call of a tool with what it was given and, below, what came back. */
export function ToolCallView({ call }: { readonly call: ToolCallPart }): ReactNode {
  const href = useToolCallHref()(call);
  const { name, input, result } = call;
  return (
    <section className={styles['call']} aria-label={`Call of ${name}`}>
      <header>
        <KindBox kind="tool" />
        <b>
          <bdi>{showControls(name)}</bdi>
        </b>
        {href !== undefined && (
          <a className={styles['goTo']} href={href}>
            go to call
          </a>
        )}
      </header>
      <div className={styles['given']}>
        {typeof input === 'string' ? (
          <LongText text={input} name={name} isPlain />
        ) : (
          <JsonValue value={input} label={name} />
        )}
      </div>
      {result !== undefined && (
        <div className={`${styles['result']} ${result.isError ? styles['bad'] : ''}`}>
          <ResultParts result={result} />
        </div>
      )}
    </section>
  );
}
