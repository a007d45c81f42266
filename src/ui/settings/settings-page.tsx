import type { ReactElement } from 'react';
import { Segmented } from '../controls/segmented.tsx';
import type { Client, Session } from '../data/answers.ts';
import { useClients } from '../data/clients.ts';
import { countOf, formatCount } from '../format/count.ts';
import { formatTime } from '../format/time.ts';
import { type Theme, useTheme } from '../shell/theme.ts';
import classes from './settings-page.module.css';

const CLIENTS_MS = 5000;

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** The service, who sends to it, and how the page looks. */
export function SettingsPage({ session }: { readonly session: Session }): ReactElement {
  const [theme, setTheme] = useTheme();
  const { data: clients = [] } = useClients(undefined, CLIENTS_MS);
  const open = clients.reduce((sum, { missing }) => sum + (missing ?? 0), 0);
  return (
    <>
      <title>Settings · spoor</title>
      <div className={classes.head}>
        <h1>Settings</h1>
        <span className={`muted cut ${classes.facts}`}>
          spoor <span className="num">{session.version}</span> on <span className="num">{session.url}</span>, you are{' '}
          <span className="num">{session.user_id}</span>
        </span>
      </div>
      <div className={classes.page}>
        <section>
          <header>
            <h2>Look</h2>
          </header>
          <div className={classes.row}>
            <span className="grow">Colours</span>
            <Segmented label="Colours" value={theme} options={THEMES} onChange={setTheme} />
          </div>
        </section>
        <section>
          <header>
            <h2>Clients</h2>
            <span className="grow">
              <span className="num">{formatCount(clients.length)}</span>
              {open > 0 && <span>, {countOf(open, 'call')} without end so far</span>}
            </span>
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
    </>
  );
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
