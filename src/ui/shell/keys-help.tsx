import { type ReactElement, useRef } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { KeyCap } from '../controls/signs/key-cap.tsx';
import { Dialog } from './dialog.tsx';
import { type KeyChange, useKeyChange } from './key-change.ts';
import { type KeyBinding, keysNow, LETTER_KEYS } from './keys.ts';
import classes from './keys-help.module.css';
import { resetKeys, useOwnKeys } from './own-keys.ts';
import { useRemembered } from './remembered.ts';
import { printKey, useShownKeys } from './shown-key.ts';

/** All keys that work on this page, as they are registered; each can be changed. */
export function KeysHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  const change = useKeyChange();
  const own = useOwnKeys();
  const place = useRef<HTMLDivElement>(null);
  return (
    <Dialog label="Keys" className={classes.help} onClose={onClose}>
      <header>
        <h2 className="grow">Keys</h2>
        {own.size > 0 && (
          <Button
            isSmall
            onClick={() => {
              place.current?.focus();
              resetKeys();
            }}
          >
            All back to default
          </Button>
        )}
        <IconButton icon="close" label="Close" keys="Escape" isSmall onClick={onClose} />
      </header>
      <Words change={change} />
      {/* Scrolled by keys too, where they do not fit. */}
      <div ref={place} className={classes.scopes} role="group" aria-label="Keys by part" tabIndex={0}>
        {keysNow().map(({ name, bindings }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {bindings.map((binding) => (
                <Command key={binding.label} binding={binding} change={change} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Words({ change: { waiting, words } }: { readonly change: KeyChange }): ReactElement {
  const [letters] = useRemembered(LETTER_KEYS, 'on');
  const usual =
    letters === 'off'
      ? 'Keys of one character are switched off in the settings. A click on a key, or Enter, changes it.'
      : 'A click on a key, or Enter, changes it: on all pages.';
  return (
    <p role="status" className={classes.words}>
      {words ?? (waiting === undefined ? usual : `Press the key that is to stand for ${printKey(waiting)}, or Esc`)}
    </p>
  );
}

interface CommandProps {
  readonly binding: KeyBinding;
  readonly change: KeyChange;
}

function Command({ binding, change }: CommandProps): ReactElement {
  const { keys, label } = binding;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {keys.map((each) =>
          isFixed(binding) ? (
            <KeyCap key={each} keys={each} />
          ) : (
            <KeyOfCommand key={each} keys={each} label={label} change={change} />
          ),
        )}
      </dd>
    </div>
  );
}

/** Keys of a list while it has the focus, and Escape, are what everybody expects of lists and of Escape. */
function isFixed({ keys, within }: KeyBinding): boolean {
  return within !== undefined || keys.includes('Escape');
}

interface KeyOfCommandProps {
  readonly keys: string;
  readonly label: string;
  readonly change: KeyChange;
}

function KeyOfCommand({ keys, label, change }: KeyOfCommandProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const shown = useShownKeys();
  const isChanged = useOwnKeys().has(keys);
  const isWaiting = change.waiting === keys;
  const reset = (): void => {
    button.current?.focus();
    change.giveBack(keys);
  };
  return (
    <>
      {isChanged && (
        <Button isSmall isGhost aria-label={`${label}: back to ${printKey(keys)}`} onClick={reset}>
          back to {printKey(keys)}
        </Button>
      )}
      <button
        ref={button}
        type="button"
        className={classes.key}
        title="Change this key"
        aria-label={isWaiting ? `${label}: press a key` : `${label}: ${shown(keys)}, change`}
        onClick={() => {
          // Not every browser gives a button the focus that is clicked.
          button.current?.focus();
          change.begin(keys);
        }}
        onKeyDown={isWaiting ? change.take : undefined}
        onBlur={isWaiting ? change.end : undefined}
      >
        {isWaiting ? 'press a key' : <KeyCap keys={keys} />}
      </button>
    </>
  );
}
