import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useId, useRef, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Mark } from '../controls/signs/mark.tsx';
import { Strip } from '../controls/strip.tsx';
import { PageError } from '../data/page-error.ts';
import { enter, enterAnew } from '../data/session.ts';
import classes from './login-page.module.css';

export interface LoginPageProps {
  /** Why there is no session. */
  readonly refusal: PageError;
}

/** Asks for a key, and says where keys come from. The address stays: after it, the page goes on where one wanted to be. */
export function LoginPage({ refusal }: LoginPageProps): ReactElement {
  const [key, setKey] = useState('');
  // Who comes for the first time, or has logged out, misses nothing.
  const [error, setError] = useState(refusal.session === 'missing' ? undefined : refusal.message);
  const newest = useRef(0);
  const client = useQueryClient();
  const fieldId = useId();
  // A key may be given while the one before is still being asked about: only what was said of the newest counts.
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    newest.current += 1;
    const attempt = newest.current;
    try {
      await enter({ api_key: key.trim() });
      await enterAnew(client);
    } catch (failure) {
      if (attempt === newest.current) setError(reasonOf(failure));
    }
  };
  return (
    <main className={classes.page}>
      <title>Log in · spoor</title>
      <form className={classes.box} onSubmit={(event) => void submit(event)}>
        <h1>
          <Mark /> Open spoor
        </h1>
        <p className="muted">The page needs a key, as programs do.</p>
        {error !== undefined && <Strip tone="err">{error}</Strip>}
        <label htmlFor={fieldId}>Key</label>
        <div className={classes.line}>
          <input
            id={fieldId}
            type="password"
            autoComplete="current-password"
            autoFocus
            required
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
          <Button isPrimary type="submit" disabled={key.trim() === ''}>
            Log in
          </Button>
        </div>
        <dl>
          <div>
            <dt>By link</dt>
            <dd>
              <code>npx spoor</code> prints a link that needs no key.
            </dd>
          </div>
          <div>
            <dt>This machine</dt>
            <dd>
              The key is in <code>server.json</code> of the state folder, <code>~/.spoor</code> unless it was moved.
            </dd>
          </div>
          <div>
            <dt>Another one</dt>
            <dd>
              Whoever runs the service makes one: <code>spoor keys create</code>
            </dd>
          </div>
        </dl>
      </form>
    </main>
  );
}

function reasonOf(failure: unknown): string {
  if (failure instanceof PageError && failure.status === 401) return 'The service does not know this key';
  return failure instanceof Error ? failure.message : String(failure);
}
