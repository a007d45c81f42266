import type { ReactElement } from 'react';
import { IconButton } from '../controls/button.tsx';
import { KeyCap } from '../controls/signs/key-cap.tsx';
import { Dialog } from './dialog.tsx';
import { keysNow, shownKey } from './keys.ts';
import classes from './keys-help.module.css';

/** All keys that work on this page, as they are registered. */
export function KeysHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  return (
    <Dialog label="Keys" className={classes.help} onClose={onClose}>
      <header>
        <h2 className="grow">Keys</h2>
        <IconButton icon="close" label="Close (Esc)" isSmall onClick={onClose} />
      </header>
      {/* Scrolled by keys too, where they do not fit. */}
      <div className={classes.scopes} role="group" aria-label="Keys by part" tabIndex={0}>
        {keysNow().map(({ name, bindings }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {bindings.map(({ keys, label }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((key) => (
                      <KeyCap key={key}>{shownKey(key)}</KeyCap>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
