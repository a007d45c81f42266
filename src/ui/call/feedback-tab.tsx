import { type FormEvent, type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { textOf } from '../json/read-json.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/signs/icon.tsx';
import type { GivenFeedback } from '../data/give-feedback.ts';
import { formatInstant, formatTime } from '../format/time.ts';
import { JsonValue } from '../json/json-value.tsx';
import { showControls } from '../json/show-controls.ts';
import classes from './call-detail.module.css';
import type { Feedback } from './call-source.ts';
import type { CallFeedback } from './use-feedback.ts';
import { MAX_NOTE, NOTE, THUMBS } from './feedback-kinds.ts';
import type { GivingState } from './use-giving.ts';

export interface FeedbackTabProps {
  readonly feedback: CallFeedback;
  readonly giving: GivingState;
}

/** The feedback on a call, newest last, and ways to give more: a thumb, a note, a score. */
export function FeedbackTab({ feedback, giving }: FeedbackTabProps): ReactElement {
  const { given, error, give, remove } = feedback;
  return (
    <section className={classes.part}>
      {error !== null && <p className="err">Feedback could not be read: {error.message}</p>}
      {give !== undefined && <Giving giving={giving} />}
      {given.length === 0 && error === null && <p className="faint">Nobody has said anything about this call.</p>}
      <ul className={classes.given}>
        {given.map((each) => (
          <Given key={each.id} feedback={each} onRemove={remove && (() => void remove(each.id))} />
        ))}
      </ul>
    </section>
  );
}

function Giving({ giving }: { readonly giving: GivingState }): ReactElement {
  const { open, setOpen, note, thumb, isGiven, give } = giving;
  const toggle = (form: 'note' | 'score'): void => setOpen(open === form ? undefined : form);
  return (
    <div className={classes.giving}>
      <div className={classes.thumbs}>
        <IconButton
          icon="thumb-up"
          isSmall
          isGhost={false}
          label="Good"
          keys="+"
          aria-pressed={isGiven(THUMBS.good)}
          onClick={() => thumb(THUMBS.good)}
        />
        <IconButton
          icon="thumb-down"
          isSmall
          isGhost={false}
          label="Bad"
          keys="-"
          aria-pressed={isGiven(THUMBS.bad)}
          onClick={() => thumb(THUMBS.bad)}
        />
        <Button icon="plus" isSmall keyCap="c" aria-expanded={open === 'note'} onClick={() => toggle('note')}>
          Note
        </Button>
        <Button icon="plus" isSmall aria-expanded={open === 'score'} onClick={() => toggle('score')}>
          Score
        </Button>
      </div>
      {open === 'note' && <NoteForm field={note} give={give} onDone={() => setOpen(undefined)} />}
      {open === 'score' && <ScoreForm give={give} onDone={() => setOpen(undefined)} />}
    </div>
  );
}

interface FormProps {
  readonly give: CallFeedback['give'];
  readonly onDone: () => void;
}

interface Sending {
  readonly isSending: boolean;
  readonly send: (feedback: GivenFeedback) => Promise<void>;
}

/** Feedback that could not be saved stays in its form, to be sent again. */
function useSending({ give, onDone }: FormProps): Sending {
  const [isSending, setSending] = useState(false);
  const send = async (feedback: GivenFeedback): Promise<void> => {
    setSending(true);
    const isSaved = await give?.(feedback);
    setSending(false);
    if (isSaved === true) onDone();
  };
  return { isSending, send };
}

/** A form opens because somebody wants to write into it. */
function useFocus(field: RefObject<HTMLElement | null>): void {
  useEffect(() => field.current?.focus(), [field]);
}

function NoteForm({
  field,
  ...form
}: FormProps & { readonly field: RefObject<HTMLTextAreaElement | null> }): ReactElement {
  useFocus(field);
  const [text, setText] = useState('');
  const { isSending, send } = useSending(form);
  const isReady = text.trim() !== '' && !isSending;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void send({ feedback_type: NOTE, payload: { note: text.trim() } });
  };
  return (
    <form onSubmit={save} className={classes.noteForm}>
      <textarea
        ref={field}
        rows={2}
        maxLength={MAX_NOTE}
        aria-label="Note"
        readOnly={isSending}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" isSmall disabled={!isReady}>
        Save note
      </Button>
    </form>
  );
}

function ScoreForm(form: FormProps): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  useFocus(field);
  const [name, setName] = useState('score');
  const [value, setValue] = useState('');
  const { isSending, send } = useSending(form);
  const isReady = name.trim() !== '' && value !== '' && Number.isFinite(Number(value)) && !isSending;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void send({ feedback_type: name.trim(), payload: { value: Number(value) } });
  };
  return (
    <form onSubmit={save} className={classes.scoreForm}>
      <input
        aria-label="Name of the score"
        value={name}
        maxLength={256}
        onChange={({ target }) => setName(target.value)}
      />
      <input
        ref={field}
        aria-label="Score"
        inputMode="decimal"
        placeholder="0.8"
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <Button type="submit" isSmall disabled={!isReady}>
        Save score
      </Button>
    </form>
  );
}

/** Thumbs are drawn as on the buttons: not every system has a font for them. */
function Said({ text }: { readonly text: string }): ReactElement {
  const thumb = text === THUMBS.good ? 'up' : text === THUMBS.bad ? 'down' : undefined;
  if (thumb === undefined) return <p dir="auto">{showControls(text)}</p>;
  return (
    <p className={classes.thumb}>
      <Icon name={`thumb-${thumb}`} />
      {thumb === 'up' ? 'good' : 'bad'}
    </p>
  );
}

interface GivenProps {
  readonly feedback: Feedback;
  readonly onRemove: (() => void) | undefined;
}

function Given({ feedback, onRemove }: GivenProps): ReactElement {
  const { feedback_type: type, payload, created_at: at, creator, svc_user_id: user } = feedback;
  const said = textOf(payload['note']) ?? textOf(payload['emoji']);
  return (
    <li>
      <div className="grow">
        {said === undefined ? (
          <>
            <b>{showControls(type)}</b> <JsonValue value={payload} label="feedback" />
          </>
        ) : (
          <Said text={said} />
        )}
        <p className="faint" title={formatInstant(Date.parse(at))}>
          {formatTime(Date.parse(at), Date.now())}, {showControls(creator ?? user ?? 'somebody')}
        </p>
      </div>
      {onRemove !== undefined && <IconButton icon="trash" isSmall label="Remove this feedback" onClick={onRemove} />}
    </li>
  );
}
