import { isObject } from '../../protocol/values/parsed-object.ts';
import { Fragment, type ReactElement, type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { callPath } from '../address/paths.ts';
import type { CallRecord } from '../call/call-record.ts';
import { ErrorBox } from '../call/error-box.tsx';
import { useCallRecord } from '../call/use-call-record.ts';
import type { ChatMessage } from '../chat/chat.ts';
import { chatOf } from '../chat/chat-of.ts';
import { MessageView } from '../chat/message-view.tsx';
import type { CallRow } from '../data/answers.ts';
import { formatCost } from '../format/cost.ts';
import { formatRoughLatency, latencyText } from '../format/latency.ts';
import { formatTime } from '../format/time.ts';
import { JsonView } from '../json/json-view.tsx';
import classes from './thread-page.module.css';
import { TurnTools } from './turn-tools.tsx';

export interface TurnViewProps {
  readonly project: string;
  readonly turn: CallRow;
  /** Counted from 1. */
  readonly number: number;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

/** One turn: what was asked and what was answered. */
export function TurnView({ project, turn, number, isSelected, onSelect }: TurnViewProps): ReactElement {
  const { data: record } = useCallRecord(turn.id, turn.state === 'never_ended');
  const facts = [
    latencyText(turn, formatRoughLatency),
    formatCost({ usd: turn.cost, isUnpriced: turn.unpriced_models.length > 0 }),
  ];
  return (
    <div data-turn={number - 1}>
      <div className={`${classes.separator} ${isSelected ? classes.current : ''}`} onClick={onSelect}>
        <b>{number}</b>
        <span className="num-s">{formatTime(Date.parse(turn.started_at), Date.now())}</span>
        <span className="grow" />
        <span className="num-s">{facts.filter((fact) => fact !== undefined).join(' · ')}</span>
        {isSelected && (
          <Link className={classes.link} href={callPath(project, turn.trace_id, turn.id)}>
            trace
          </Link>
        )}
      </div>
      {record ? (
        <Said
          record={record}
          model={turn.model}
          tools={isSelected && <TurnTools project={project} turnId={turn.id} />}
        />
      ) : (
        <Previews turn={turn} />
      )}
      {record?.exception !== undefined && <ErrorBox exception={record.exception} />}
    </div>
  );
}

/** The previews that the list has already, until the call is there. */
function Previews({ turn: { input, output } }: { readonly turn: CallRow }): ReactElement {
  return (
    <>
      {input !== null && <MessageView message={said('user', input)} isFolded={false} />}
      {output !== null && <MessageView message={said('assistant', output)} isFolded={false} />}
    </>
  );
}

interface SaidProps {
  readonly record: CallRecord;
  readonly model: string | null;
  /** Stand behind the question, where what was said does not hold them itself. */
  readonly tools: ReactNode;
}

function Said({ record, model, tools }: SaidProps): ReactNode {
  const messages = useMemo(() => saidIn(record), [record]);
  if (messages === undefined) return <Values record={record} />;
  const hasTools = messages.some(({ parts }) => parts.some(({ type }) => type === 'tool_call'));
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      <MessageView
        message={message}
        isFolded={message.role === 'system'}
        note={message.role === 'assistant' ? (model ?? undefined) : undefined}
      />
      {index === asked && !hasTools && tools}
    </Fragment>
  ));
}

/** Turns that are no texts are shown as what they are. */
function Values({ record: { text, inputs, output } }: { readonly record: CallRecord }): ReactElement {
  return (
    <div className={classes.values}>
      <JsonView text={text} node={inputs.node} label="input" />
      <JsonView text={text} node={output.node} label="output" />
    </div>
  );
}

/**
 * Messages that this turn added: earlier turns are handed on with every request, and stand above. A function that takes
 * a text and gives one is a turn, too, whatever it calls its argument.
 */
function saidIn({ inputs, output }: CallRecord): readonly ChatMessage[] | undefined {
  if (inputs.isTooLarge || output.isTooLarge || !isObject(inputs.value)) return undefined;
  const texts = Object.values(inputs.value).filter((value) => typeof value === 'string');
  const chat = chatOf({ kind: 'agent', attributes: {}, inputs: inputs.value, output: output.value });
  const [text] = texts;
  if (chat !== undefined) {
    const answers = chat.messages.some(({ isOutput }) => isOutput) ? [] : answersIn(output.value);
    const last = chat.messages.findLastIndex(({ role, isOutput }) => role === 'user' && !isOutput);
    return [...chat.messages.slice(Math.max(0, last)), ...answers];
  }
  const isAnswer = output.value === null || answersIn(output.value).length > 0;
  if (texts.length !== 1 || text === undefined || !isAnswer) return undefined;
  return [said('user', text), ...answersIn(output.value)];
}

function answersIn(output: unknown): readonly ChatMessage[] {
  if (typeof output === 'string') return [{ ...said('assistant', output), isOutput: false }];
  const chat = chatOf({ kind: 'llm', attributes: {}, inputs: { prompt: '-' }, output });
  return chat?.messages.filter(({ isOutput }) => isOutput) ?? [];
}

function said(role: string, text: string): ChatMessage {
  return { role, name: undefined, parts: [{ type: 'text', text }], isOutput: false, finishReason: undefined };
}
