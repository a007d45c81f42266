import { type ReactElement, useState } from 'react';
import { Ago } from '../controls/ago.tsx';
import { IconButton } from '../controls/button.tsx';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/signs/icon.tsx';
import { useToast } from '../controls/toast.tsx';
import { useCopy } from '../controls/use-copy.ts';
import { useClients } from '../data/clients.ts';
import { sendSample } from '../data/sample-trace.ts';
import { CodeLines } from './code-lines.tsx';
import classes from './empty-page.module.css';
import { WAYS, type Way } from './ways.ts';

export interface EmptyPageProps {
  /** Undefined where there is none yet: the first program makes it. */
  readonly project: string | undefined;
  readonly url: string;
  readonly onSent?: () => void;
}

const CLIENTS_MS = 2000;

/** Before the first call: how to send one, with the real address, and what arrived that was refused. */
export function EmptyPage({ project, url, onSent }: EmptyPageProps): ReactElement {
  const [way, setWay] = useState<Way>(WAYS[0]);
  const shownProject = project ?? 'local/my-project';
  return (
    <>
      <title>{`First trace · ${project ?? 'spoor'}`}</title>
      <div className={classes.head}>
        <span className="muted grow">Calls</span>
        <Button icon="live" disabled>
          Listening
        </Button>
      </div>
      <div className={classes.wrap}>
        <div className={classes.box}>
          <h1>Record the first trace</h1>
          <p className={classes.lead}>
            Nothing has arrived
            {project !== undefined && (
              <>
                {' '}
                in <b>{project}</b>
              </>
            )}{' '}
            yet. The address
            {project !== undefined && ' and the project are'}
            {project === undefined && ' is'} filled in below.
          </p>
          <Listening project={shownProject} url={url} onSent={onSent} />
          <div className={classes.code}>
            <div className={classes.tabs} role="tablist" aria-label="Way to send">
              {WAYS.map((each) => (
                <button
                  key={each.name}
                  type="button"
                  role="tab"
                  aria-selected={each === way}
                  onClick={() => setWay(each)}
                >
                  {each.name}
                </button>
              ))}
            </div>
            {way.steps({ url, project: shownProject }).map((step, index) => (
              <Step key={step} step={step} number={index + 1} />
            ))}
            <div className={classes.step}>
              <span />
              <p>{way.note}</p>
            </div>
          </div>
          <div className={classes.more}>
            <div>
              <h2>Nothing arrives?</h2>
              <p>Checks address, key, spool and clock, and says what to do.</p>
              <pre className="faint">npx spoor doctor</pre>
            </div>
            <div>
              <h2>Prefer the terminal?</h2>
              <p>The same calls and trees, without this page.</p>
              <pre className="faint">npx spoor ls</pre>
            </div>
          </div>
        </div>
      </div>
    </>
  );
}

function Step({ step, number }: { readonly step: string; readonly number: number }): ReactElement {
  const copy = useCopy();
  return (
    <div className={classes.step}>
      <span className={classes.number}>{number}</span>
      <pre>
        <CodeLines text={step} />
      </pre>
      <IconButton icon="copy" label={`Copy step ${number}`} isSmall onClick={() => copy(step)} />
    </div>
  );
}

interface ListeningProps {
  readonly project: string;
  readonly url: string;
  readonly onSent: (() => void) | undefined;
}

function Listening({ project, url, onSent }: ListeningProps): ReactElement {
  const clients = useClients(undefined, CLIENTS_MS).data ?? [];
  const refused = clients
    .filter(({ last_error: error }) => error !== null)
    .sort((a, b) => Date.parse(b.last_error?.at ?? '') - Date.parse(a.last_error?.at ?? ''))[0];
  const [isSending, setIsSending] = useState(false);
  const toast = useToast();
  const send = async () => {
    setIsSending(true);
    try {
      await sendSample(project);
      onSent?.();
    } catch (error) {
      toast({ text: `The sample could not be sent: ${(error as Error).message}` });
    } finally {
      setIsSending(false);
    }
  };
  return (
    <div className={classes.listen}>
      <p className="vh" role="status">
        {refused?.last_error != null && `${refused.name} was refused: ${refused.last_error.message}`}
      </p>
      <span className={classes.pulse} />
      <b>
        Listening on <span className="num">{url}</span>
      </b>
      <Button isPrimary disabled={isSending} onClick={() => void send()}>
        Send a sample trace
      </Button>
      {refused?.last_error != null && (
        <div className={classes.refused}>
          <Icon name="warning" className="warn" />
          <span className="grow">
            Last request <Ago at={Date.parse(refused.last_error.at)} /> from{' '}
            <span className="num">
              {refused.name}
              {refused.version !== null && ` ${refused.version}`}
            </span>
            :{' '}
            <b>
              {refused.last_error.status} {refused.last_error.message}
            </b>
          </span>
        </div>
      )}
    </div>
  );
}
