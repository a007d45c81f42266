import type { ReactElement, ReactNode } from 'react';
import { Foot } from '../controls/foot/foot.tsx';
import { Ago } from '../controls/ago.tsx';
import { Button } from '../controls/button.tsx';
import { Segmented } from '../controls/segmented.tsx';
import type { Client, Session } from '../data/answers.ts';
import { useClients } from '../data/clients.ts';
import { countOf, formatCount } from '../format/count.ts';
import { formatInstant, formatTime } from '../format/time.ts';
import { LETTER_KEYS, runKey } from '../shell/keys.ts';
import { useRemembered } from '../shell/remembered.ts';
import { type RowHeight, useRowHeight } from '../shell/row-height.ts';
import { type Theme, useTheme } from '../shell/theme.ts';
import { useZone, type Zone } from '../shell/zone.ts';
import classes from './settings-page.module.css';

const CLIENTS_MS = 5000;

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const HEIGHTS: readonly { readonly value: RowHeight; readonly label: string }[] = [
  { value: 'compact', label: 'Compact' },
  { value: 'usual', label: 'Normal' },
  { value: 'comfortable', label: 'Comfortable' },
];

const ZONES: readonly { readonly value: Zone; readonly label: string }[] = [
  { value: 'local', label: 'Local' },
  { value: 'utc', label: 'UTC' },
];

const KEYS: readonly { readonly value: string; readonly label: string }[] = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
];

/** The service, who sends to it, and how the page looks. */
export function SettingsPage({ session }: { readonly session: Session }): ReactElement {
  const { data: clients = [] } = useClients(undefined, CLIENTS_MS);
  // Its times are by the clock that is chosen on it.
  useZone();
  const missing = sumOf(clients, (client) => client.missing ?? 0);
  return (
    <>
      <title>Settings · spoor</title>
      <div className={classes.head}>
        <h1>Settings</h1>
        <span className={`muted cut ${classes.facts}`}>
          spoor <span className="num">{session.version}</span> on <span className="num">{session.url}</span>
        </span>
      </div>
      <div className={classes.page}>
        <div className={classes.columns}>
          <ServiceFacts session={session} />
          <Look />
        </div>
        <section>
          <header>
            <h2>Clients</h2>
            <span className="num-s faint">{formatCount(clients.length)}</span>
            <span className="grow">{missing > 0 && `${countOf(missing, 'call')} without end so far`}</span>
            <span className="wide">since the service was started</span>
          </header>
          <div className={`${classes.client} ${classes.names}`}>
            <span />
            <span>Client</span>
            <span>Process or address</span>
            <span className={classes.number}>Starts</span>
            <span className={classes.number}>Ends</span>
            <span className={classes.number}>Without end</span>
            <span className={classes.number}>Last seen</span>
            <span>Last refusal</span>
          </div>
          {clients.map((client) => (
            <ClientRow key={client.id} client={client} />
          ))}
          {clients.length === 0 && <p className={classes.none}>Nobody has sent anything yet</p>}
        </section>
      </div>
      <Sums clients={clients} />
    </>
  );
}

function ServiceFacts({ session }: { readonly session: Session }): ReactElement {
  const startedAt = Date.parse(session.started_at);
  return (
    <section>
      <header>
        <h2>Service</h2>
      </header>
      <Fact name="Running since">
        <span className="num" title={formatInstant(startedAt)}>
          {formatTime(startedAt, Date.now())}
        </span>
        <span className="muted">
          <Ago at={startedAt} />
        </span>
      </Fact>
      <Fact name="Logged in as">
        <span className="num">{session.user_id}</span>
        <span className="muted">{session.entities === null ? 'all entities' : session.entities.join(', ')}</span>
      </Fact>
      <Fact name="Keys">
        <code className="muted">spoor keys</code>
      </Fact>
      <Fact name="Backup">
        <code className="muted">spoor backup</code>
      </Fact>
      <Fact name="Retention">
        <code className="muted">spoor serve --retain-days</code>
      </Fact>
    </section>
  );
}

function Look(): ReactElement {
  const [theme, setTheme] = useTheme();
  const { height, choose: chooseHeight } = useRowHeight();
  const [zone, setZone] = useZone();
  const [letters, setLetters] = useRemembered(LETTER_KEYS, 'on');
  return (
    <section>
      <header>
        <h2>Look and keys</h2>
      </header>
      <Fact name="Colours">
        <Segmented label="Colours" value={theme} options={THEMES} onChange={setTheme} />
      </Fact>
      <Fact name="Rows">
        <Segmented label="Height of rows" value={height} options={HEIGHTS} onChange={chooseHeight} />
      </Fact>
      <Fact name="Times">
        <Segmented label="Times" value={zone} options={ZONES} onChange={setZone} />
      </Fact>
      <Fact name="Keys of one letter, such as j and k">
        <Segmented label="Keys of one character" value={letters} options={KEYS} onChange={setLetters} />
      </Fact>
      <Fact name="Shortcuts">
        <span className="muted">each page lists its own</span>
        <Button isSmall keyCap="?" onClick={() => runKey('?')}>
          Change keys
        </Button>
      </Fact>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className={classes.row}>
      <span className={classes.fact}>{name}</span>
      <span className={classes.value}>{children}</span>
    </div>
  );
}

/** Sums of all clients. Of one whose ends came without their starts nobody knows what is missing: said so, never as none. */
function Sums({ clients }: { readonly clients: readonly Client[] }): ReactElement {
  const missing = sumOf(clients, (client) => client.missing ?? 0);
  const unknown = clients.filter((client) => client.missing === null).length;
  return (
    <Foot>
      <span>
        <span className="num">{formatCount(sumOf(clients, (client) => client.received_starts))}</span> starts
      </span>
      <span>
        <span className="num">{formatCount(sumOf(clients, (client) => client.received_ends))}</span> ends
      </span>
      {(missing > 0 || unknown === 0) && (
        <span>
          <span className="num">{formatCount(missing)}</span> without end
        </span>
      )}
      {unknown > 0 && <span className="warn">{unknownWords(unknown, clients.length)}</span>}
      <span className="grow" />
      <span className="wide">
        <code>spoor clients</code> prints the same
      </span>
    </Foot>
  );
}

function sumOf(clients: readonly Client[], count: (client: Client) => number): number {
  return clients.reduce((sum, client) => sum + count(client), 0);
}

function unknownWords(unknown: number, all: number): string {
  return unknown === all ? 'Without end: unknown' : `Without end: unknown from ${countOf(unknown, 'client')}`;
}

function ClientRow({ client }: { readonly client: Client }): ReactElement {
  const { name, version, missing, last_error: error } = client;
  return (
    <div className={classes.client}>
      <span className={client.is_connected ? classes.dot : classes.ring} />
      <span className="cut">
        <span className="vh">{client.is_connected ? 'connected: ' : 'gone: '}</span>
        {name} <span className="muted">{version}</span>
      </span>
      <span className="num muted cut" title={client.address}>
        {client.host === null ? client.address : `${client.host} ${client.pid}`}
      </span>
      <span className={`num ${classes.number}`}>{formatCount(client.received_starts)}</span>
      <span className={`num ${classes.number}`}>{formatCount(client.received_ends)}</span>
      <span className={`num ${classes.number} ${missing === null ? 'warn' : missing > 0 ? 'run' : 'faint'}`}>
        {missing === null ? 'unknown' : missing === 0 ? '–' : formatCount(missing)}
      </span>
      <span className={`num muted ${classes.number}`}>{formatTime(Date.parse(client.last_seen_at), Date.now())}</span>
      <span className={`cut ${error === null ? 'muted' : 'err'}`}>
        {error === null ? 'none' : `${error.status} ${error.message}`}
      </span>
    </div>
  );
}
