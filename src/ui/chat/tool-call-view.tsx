import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { JsonValue } from '../json/json-value.tsx';
import { LongText } from '../json/long-text.tsx';
import { showControls } from '../json/show-controls.ts';
import { KindBox } from '../controls/signs/kind-box.tsx';
import type { ToolCallPart } from './chat.ts';
import classes from './chat.module.css';
import { useToolCallHref } from './tool-call-href.ts';
import { ResultParts } from './tool-result-view.tsx';

/** A call of a tool with what it was given and, below, what came back. */
export function ToolCallView({ call }: { readonly call: ToolCallPart }): ReactNode {
  const href = useToolCallHref()(call);
  const { name, input, result } = call;
  return (
    <section className={classes.call} aria-label={`Call of ${name}`}>
      <header>
        <KindBox kind="tool" />
        <b>
          <bdi>{showControls(name)}</bdi>
        </b>
        {href !== undefined && (
          <Link className={classes.goTo} href={href}>
            go to call
          </Link>
        )}
      </header>
      <div className={classes.given}>
        {typeof input === 'string' ? (
          <LongText text={input} name={name} isPlain />
        ) : (
          <JsonValue value={input} label={name} />
        )}
      </div>
      {result !== undefined && (
        <div className={`${classes.result} ${result.isError ? classes.bad : ''}`}>
          <ResultParts result={result} />
        </div>
      )}
    </section>
  );
}
