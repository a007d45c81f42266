import { type ReactElement, useMemo } from 'react';
import { parseFilter } from '../../../filter/parse-filter.ts';
import { toSelection, toStreamQuery } from '../../../filter/to-selection.ts';
import { Button } from '../../controls/button.tsx';
import { useToast } from '../../controls/toast.tsx';
import { shownZone } from '../../format/time.ts';
import { copyText, NOT_COPIED } from '../../json/copy-text.ts';
import type { QueryButtonProps } from './query-button.tsx';
import classes from './query-text.module.css';

/** The bodies of requests that ask for the calls of a filter. */
export function QueryText({ project, q }: QueryButtonProps): ReactElement {
  const { body, isWhole } = useMemo(() => requestOf(project, q), [project, q]);
  const where = { project_id: project, where: q, time_zone: shownZone() };
  return (
    <div className={classes.texts}>
      {body !== undefined && <Body path="/calls/stream_query" body={body} />}
      {!isWhole && <p className="muted">Tokens, money, models and states in it are looked up call by call:</p>}
      <Body path="/x/calls/rows" body={where} />
    </div>
  );
}

interface Requested {
  /** Absent where the filter makes no sense. */
  readonly body: object | undefined;
  readonly isWhole: boolean;
}

function requestOf(project: string, q: string): Requested {
  const tree = parseFilter(q);
  if (Array.isArray(tree)) return { body: undefined, isWhole: true };
  const selection = toSelection(tree, { projectId: project, now: Date.now(), timeZone: shownZone() });
  const isWhole = selection.beyond === undefined;
  return { body: { project_id: project, ...toStreamQuery(selection) }, isWhole };
}

function Body({ path, body }: { readonly path: string; readonly body: object }): ReactElement {
  const text = JSON.stringify(body, undefined, 2);
  const toast = useToast();
  const copy = async () => toast({ text: (await copyText(text)) ? 'Request copied' : NOT_COPIED });
  return (
    <section aria-label={path}>
      <header>
        <code className="grow">POST {path}</code>
        <Button isSmall onClick={() => void copy()}>
          Copy
        </Button>
      </header>
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
