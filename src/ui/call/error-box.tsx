import { type ReactElement, useMemo, useState } from 'react';
import { StatusSign } from '../controls/signs/status-sign.tsx';
import { countOf } from '../format/count.ts';
import { cutMarkOf } from '../json/cut-mark.ts';
import { showControls } from '../json/show-controls.ts';
import classes from './call-detail.module.css';
import { useOpenFile } from './use-open-file.ts';
import { readException, shortPath, type ShownError, type StackFrame } from '../../protocol/values/exception.ts';

/** The exception: type, message, and the lines of the program that led there. */
export function ErrorBox({ exception }: { readonly exception: string }): ReactElement {
  const errors = useMemo(() => readException(cutMarkOf(exception)?.kept ?? exception), [exception]);
  const cut = cutMarkOf(exception);
  return (
    <section className={classes.error} aria-label="Error">
      {errors.map((error, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <OneError key={index} error={error} />
      ))}
      {cut !== undefined && <p className="faint">{cut.said}</p>}
    </section>
  );
}

/** Longer messages begin with this much. */
const SHOWN = 1000;

function OneError({ error }: { readonly error: ShownError }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const { type, message, frames, isCause } = error;
  const isLong = message.length > SHOWN * 1.5 && !isWhole;
  return (
    <div>
      <p className={classes.errorType}>
        {isCause && <span className="faint">caused by </span>}
        <StatusSign state="error" word={showControls(type ?? 'Error')} />
      </p>
      <p className={classes.message} dir="auto">
        {showControls(isLong ? message.slice(0, SHOWN).toWellFormed() : message)}
        {isLong && (
          <button type="button" className={classes.more} onClick={() => setWhole(true)}>
            {countOf(message.length - SHOWN, 'more character')}
          </button>
        )}
      </p>
      <Stack frames={frames} />
    </div>
  );
}

/** Own lines are shown; those of packages and of the runtime are a number until they are asked for. */
function Stack({ frames }: { readonly frames: readonly StackFrame[] }): ReactElement | null {
  const [isWhole, setWhole] = useState(false);
  const own = frames.filter(({ isOwn }) => isOwn);
  const shown = isWhole ? frames : own;
  const hidden = frames.length - shown.length;
  if (frames.length === 0) return null;
  return (
    <div className={classes.stack}>
      {shown.map((frame, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={frame.isOwn ? undefined : 'faint'} title={showControls(frame.file)}>
          at {showControls(frame.functionName)} <FramePlace frame={frame} />
        </div>
      ))}
      {hidden > 0 && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          {countOf(hidden, 'frame')} in packages
        </button>
      )}
    </div>
  );
}

/** The place of a frame: a button where an editor can show it. */
function FramePlace({ frame }: { readonly frame: StackFrame }): ReactElement {
  const open = useOpenFile();
  const { file, line, isOwn } = frame;
  if (open === undefined || line === undefined || !isOwn) return <span>{placeText(frame)}</span>;
  return (
    <button type="button" className={classes.frame} title="Open in editor" onClick={() => open({ file, line })}>
      {placeText(frame)}
    </button>
  );
}

function placeText({ file, line }: StackFrame): string {
  return showControls(line === undefined ? shortPath(file) : `${shortPath(file)}:${line}`);
}
