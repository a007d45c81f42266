import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { JsonValue } from '../json/json-value.tsx';
import { LongText } from '../json/long-text.tsx';
import { showControls } from '../json/show-controls.ts';
import { KindBox } from '../controls/signs/kind-box.tsx';
import { StatusSign } from '../controls/signs/status-sign.tsx';
import type { ToolCallPart } from './chat.ts';
import classes from './chat.module.css';
import { useToolCallPlace } from './tool-call-place.ts';
import { ResultParts } from './tool-result-view.tsx';

/** A call of a tool with what it was given and, below, what came back. */
export function ToolCallView({ call }: { readonly call: ToolCallPart }): ReactNode {
  const place = useToolCallPlace(call);
  const { name, input, result } = call;
  return (
    <section className={classes.call} aria-label={`Call of ${name}`}>
      <header>
        <KindBox kind="tool" />
        <b>
          <bdi>{showControls(name)}</bdi>
        </b>
        {place?.href !== undefined && (
          <Link className={classes.goTo} href={place.href}>
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
      {result === undefined && place?.error !== undefined && <Thrown error={place.error} />}
      {result !== undefined && (
        <div className={`${classes.result} ${result.isError ? classes.bad : ''}`}>
          <ResultParts result={result} />
        </div>
      )}
    </section>
  );
}

const TYPE = /^([\p{L}\p{N}_$.]+): (.+)$/su;

/** The error that the tool threw, where the model was not told of it. */
function Thrown({ error }: { readonly error: string }): ReactNode {
  const [, type = 'Error', message = error] = TYPE.exec(error) ?? [];
  return (
    <div className={`${classes.result} ${classes.bad}`}>
      <p className={classes.failed}>
        <StatusSign state="error" word={showControls(type)} />
      </p>
      <p className={classes.thrown} dir="auto">
        {showControls(message)}
      </p>
    </div>
  );
}
