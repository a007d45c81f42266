import { type ReactElement, useRef } from 'react';
import { Button, IconButton } from '../controls/button.tsx';
import { KeyCap } from '../controls/signs/key-cap.tsx';
import { allCommands, type Command, type CommandsOfPart, isFixed, mergedCommands } from './commands.ts';
import { Dialog } from './dialog.tsx';
import dialogClasses from './dialog.module.css';
import { type KeyChange, useKeyChange } from './key-change.ts';
import { keysNow, LETTER_KEYS } from './keys.ts';
import classes from './keys-help.module.css';
import { resetKeys, useOwnKeys } from './own-keys.ts';
import { useRemembered } from './remembered.ts';
import { printKey, useShownKeys } from './shown-key.ts';

export interface KeysHelpProps {
  /** Those of all pages, for a page that has hardly any itself. */
  readonly isOfAll?: boolean;
  /** There is no other page, as in a file: no key is taken by one. */
  readonly isOnly?: boolean;
  readonly onClose: () => void;
}

/** All keys that work on this page, as they are registered, or on any; each can be changed. */
export function KeysHelp({ isOfAll = false, isOnly = false, onClose }: KeysHelpProps): ReactElement {
  const change = useKeyChange(isOnly ? [] : allCommands());
  const own = useOwnKeys();
  const place = useRef<HTMLDivElement>(null);
  return (
    <Dialog label="Keys" className={`${classes.help} ${dialogClasses.scrolls}`} onClose={onClose}>
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
      <Words change={change} isOnly={isOnly} />
      {/* Scrolled by keys too, where they do not fit. */}
      <div ref={place} className={classes.scopes} role="group" aria-label="Keys by part" tabIndex={0}>
        {(isOfAll ? allCommands() : commandsHere()).map(({ name, commands }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {mergedCommands(commands).map((command) => (
                <CommandLine key={command.label} command={command} change={change} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Those of the page before those of all pages, whichever was shown first. */
function commandsHere(): readonly CommandsOfPart[] {
  const shown = keysNow();
  const parts = [...new Set(shown.map(({ name }) => name))].map((name) => ({
    name,
    commands: shown.filter((part) => part.name === name).flatMap(({ bindings }) => bindings),
  }));
  const isEverywhere = ({ name }: CommandsOfPart): boolean => name === 'Everywhere';
  return [...parts.filter((part) => !isEverywhere(part)), ...parts.filter(isEverywhere)];
}

interface WordsProps {
  readonly change: KeyChange;
  readonly isOnly: boolean;
}

function Words({ change: { waiting, words }, isOnly }: WordsProps): ReactElement {
  const [letters] = useRemembered(LETTER_KEYS, 'on');
  const usual =
    letters === 'off'
      ? 'Keys of one character are switched off in the settings. Click a key to change it.'
      : `Click a key to change it${isOnly ? '' : ' on all pages'}.`;
  return (
    <p role="status" className={classes.words}>
      {words ?? (waiting === undefined ? usual : `Press the key that is to stand for ${printKey(waiting)}, or Esc`)}
    </p>
  );
}

interface CommandLineProps {
  readonly command: Command;
  readonly change: KeyChange;
}

function CommandLine({ command: { keys, label }, change }: CommandLineProps): ReactElement {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {keys.map((each) =>
          isFixed(each) ? (
            <KeyCap key={each} keys={each} />
          ) : (
            <KeyOfCommand key={each} keys={each} label={label} change={change} />
          ),
        )}
      </dd>
    </div>
  );
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
