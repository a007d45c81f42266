import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Mark } from '../controls/signs/mark.tsx';
import { Strip } from '../controls/strip.tsx';
import type { PageError } from '../data/page-error.ts';
import classes from './login-page.module.css';
import { useEntering } from './use-entering.ts';

export interface LoginPageProps {
  /** Why there is no session. */
  readonly refusal: PageError;
}

/** Asks for a key, and says where keys come from. The address stays: after it, the page goes on where one wanted to be. */
export function LoginPage({ refusal }: LoginPageProps): ReactElement {
  const [key, setKey] = useState('');
  // Who comes for the first time, or has logged out, misses nothing.
  const { error, give } = useEntering(refusal.session === 'missing' ? undefined : refusal.message);
  const fieldId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    give(key.trim());
  };
  return (
    <main className={classes.page}>
      <title>Log in · spoor</title>
      <form className={classes.box} onSubmit={submit}>
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
            <dt>Another machine</dt>
            <dd>
              Whoever runs the service makes one: <code>spoor keys create</code>
            </dd>
          </div>
        </dl>
      </form>
    </main>
  );
}
