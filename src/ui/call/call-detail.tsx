import { isObject } from '../../protocol/values/parsed-object.ts';
import { type ReactElement, type ReactNode, useMemo, useState } from 'react';
import { chatOf } from '../chat/chat-of.ts';
import type { Chat } from '../chat/chat.ts';
import { Bone } from '../controls/signs/bones.tsx';
import { Failure } from '../controls/failure.tsx';
import type { CallState } from '../controls/signs/status-sign.tsx';
import { ContentSourceContext } from '../json/content-source.ts';
import classes from './call-detail.module.css';
import { CallHead } from './call-head.tsx';
import { kindOf } from './call-kind.ts';
import { type CallRecord, shownName } from './call-record.ts';
import { useCallSource } from './call-source.ts';
import { stateOf } from './call-state.ts';
import { CallTabs, TAB_NAMES, type CallTab } from './call-tabs.tsx';
import { CodeTab } from './code-tab.tsx';
import { writtenIn } from './drafts.ts';
import { ErrorBox } from './error-box.tsx';
import { FeedbackTab } from './feedback-tab.tsx';
import { InputOutput } from './input-output.tsx';
import { PartSection } from './part-section.tsx';
import { useCallRecord } from './use-call-record.ts';
import { useFeedback } from './use-feedback.ts';
import { useGiving } from './use-giving.ts';
import { useOpenCall } from './use-open-file.ts';
import { UsageTab } from './usage-tab.tsx';
import { ChatView } from '../chat/chat-view.tsx';

export interface CallDetailProps {
  readonly callId: string;
  /** How a list or a skeleton says that the call is: it knows of calls that never ended. */
  readonly state?: CallState | undefined;
  /** The tab of the address; one that the call does not have is as none. */
  readonly tab?: string | undefined;
  /** Absent: the part keeps the tab by itself. */
  readonly onTab?: ((tab: CallTab) => void) | undefined;
  /** Buttons at the end of the head. */
  readonly actions?: ReactNode;
}

/** Everything about one call. Needs a `CallSourceContext` around it. */
export function CallDetail(props: CallDetailProps): ReactElement {
  const source = useCallSource();
  const { data: record, error, refetch } = useCallRecord(props.callId, props.state === 'never_ended');
  return (
    <ContentSourceContext value={source}>
      <section className={classes.detail} aria-label="Call">
        {error !== null && <Failure what="The call could not be read" error={error} onRetry={() => void refetch()} />}
        {record === undefined && error === null && <Loading />}
        {record === null && (
          <p className={classes.missing}>This call is not here: it was deleted, or has not arrived.</p>
        )}
        {record && <Loaded key={record.id} {...props} record={record} />}
      </section>
    </ContentSourceContext>
  );
}

function Loading(): ReactElement {
  return (
    <div className={classes.loading} aria-busy="true" aria-label="Reading the call">
      {[180, 320, 260, 300].map((width) => (
        <Bone key={width} width={width} />
      ))}
    </div>
  );
}

type LoadedProps = CallDetailProps & { readonly record: CallRecord };

function Loaded({ record, state: known, tab: asked, onTab, actions }: LoadedProps): ReactElement {
  const state = stateOf(record, known);
  const kind = kindOf(record.attributes.value);
  const chat = useMemo(() => chatIn(record, kind), [record, kind]);
  const feedback = useFeedback(record.id, shownName(record));
  const [own, setOwn] = useState<string | undefined>(undefined);
  const tabs = tabsOf(record, chat);
  const wanted = asked === undefined || asked === '' ? own : asked;
  const tab = tabs.find((each) => each === wanted) ?? (chat !== undefined && kind === 'llm' ? 'chat' : 'io');
  const choose = (next: CallTab): void => {
    setOwn(next);
    onTab?.(next);
  };
  const openInEditor = useOpenCall(record);
  const giving = useGiving(feedback, { onNote: () => choose('feedback') });
  const shown: Readonly<Record<CallTab, () => ReactNode>> = {
    io: () => <InputOutput record={record} state={state} />,
    chat: () => chat && <ChatView chat={chat} />,
    code: () => <CodeTab record={record} />,
    attributes: () => <PartSection name="Attributes" part={record.attributes} text={record.text} none="none" />,
    usage: () => <UsageTab summary={record.summary} />,
    feedback: () => <FeedbackTab feedback={feedback} giving={giving} />,
    raw: () => <PartSection name="Call" part={{ ...record.inputs, node: record.node }} text={record.text} none="" />,
  };
  return (
    <>
      <CallHead record={record} kind={kind} state={state} onOpen={openInEditor} actions={actions} />
      <CallTabs
        tabs={tabs}
        tab={tab}
        onTab={choose}
        feedback={feedback.given.length}
        hasDraft={writtenIn(giving.draft) !== undefined}
      />
      <div className={classes.body} role="tabpanel" aria-label={TAB_NAMES[tab]} tabIndex={0}>
        {record.exception !== undefined && (tab === 'io' || tab === 'chat') && (
          <ErrorBox exception={record.exception} />
        )}
        {shown[tab]()}
      </div>
    </>
  );
}

function tabsOf({ summary }: CallRecord, chat: Chat | undefined): readonly CallTab[] {
  const usage = summary['usage'];
  const hasUsage = isObject(usage) && Object.keys(usage).length > 0;
  return [
    'io',
    ...(chat === undefined ? [] : (['chat'] as const)),
    'code',
    'attributes',
    ...(hasUsage ? (['usage'] as const) : []),
    'feedback',
    'raw',
  ];
}

/** A conversation of many megabytes is read as the value that it is. */
function chatIn({ attributes, inputs, output }: CallRecord, kind: string): Chat | undefined {
  if (inputs.isTooLarge || output.isTooLarge || !isObject(inputs.value)) return undefined;
  const known = isObject(attributes.value) ? attributes.value : {};
  return chatOf({ kind, attributes: known, inputs: inputs.value, output: output.value });
}
