import type { ReactNode } from 'react';
import { JsonValue } from '../json/json-value.tsx';
import { showControls } from '../json/show-controls.ts';
import type { Setting } from './chat.ts';
import classes from './chat.module.css';

/** The settings that a conversation has beside its messages. */
export function SettingList({ settings }: { readonly settings: readonly Setting[] }): ReactNode {
  if (settings.length === 0) return null;
  return (
    <section className={classes.settings}>
      <h3>Settings</h3>
      <dl>
        {settings.map(({ name, value }, index) => (
          // A name may be told twice, by the request and by the answer.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index}>
            <dt>{showControls(name)}</dt>
            <dd>{settingText(value) ?? <JsonValue value={value} label={name} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const LONGEST = 400;

function settingText(value: unknown): string | undefined {
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 20 });
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.length <= LONGEST ? showControls(value) : undefined;
}
