import type { NewBatchItem, NewCallEnd, NewCallStart } from '../../../src/reader/reader.ts';
import { formatDateTime } from '../../../src/protocol/values/date-time.ts';

type Recorded = Omit<NewCallStart, 'started_at'> & Omit<NewCallEnd, 'ended_at'> & { readonly id: string };

/** Start and end of a call that ran from one millisecond after `day` to another; `null`: it still runs. */
export function recorded(day: string, [from, to]: [number, number | null], call: Recorded): NewBatchItem[] {
  const at = (ms: number) => formatDateTime(Date.parse(day) * 1000 + ms * 1000);
  const { output, exception, summary, ...start } = call;
  const end = { id: call.id, output, ...(exception && { exception }), ...(summary && { summary }) };
  const items: NewBatchItem[] = [{ mode: 'start', req: { start: { ...start, started_at: at(from) } } }];
  if (to !== null) items.push({ mode: 'end', req: { end: { ...end, ended_at: at(to) } } });
  return items;
}

export const TICKET_TRACE = '0190a0000000700080000000deadbeef';

const exception = 'SMTPError: 550 mailbox unavailable\n    at send (tools.ts:94)';
const usage = { 'gpt-x': { requests: 2, input_tokens: 3800, output_tokens: 102 } };
const half = { 'gpt-x': { requests: 1, input_tokens: 1900, output_tokens: 51 } };

/** A trace of six calls, one of which failed. */
export function ticketTrace(day: string): NewBatchItem[] {
  const trace = { trace_id: TICKET_TRACE, thread_id: 'chat-7' };
  const op_name = 'svc:///acme/demo/op/answer_ticket:v3';
  const status_counts = { success: 4, error: 2 };
  return [
    ...recorded(day, [0, 4120], { ...trace, id: 'ticket-1', op_name, exception, summary: { usage, status_counts } }),
    ...recorded(day, [1, 901], {
      ...trace,
      id: 'ticket-2',
      parent_id: 'ticket-1',
      op_name: 'plan',
      summary: { usage: half },
    }),
    ...recorded(day, [2, 842], {
      ...trace,
      id: 'ticket-3',
      parent_id: 'ticket-2',
      op_name: 'chat',
      inputs: { q: 'hello' },
      output: { text: 'a plan' },
      summary: { usage: half },
    }),
    ...recorded(day, [901, 2111], { ...trace, id: 'ticket-4', parent_id: 'ticket-1', op_name: 'search_docs' }),
    ...recorded(day, [2111, 3351], {
      ...trace,
      id: 'ticket-5',
      parent_id: 'ticket-1',
      op_name: 'chat',
      summary: { usage: half },
    }),
    ...recorded(day, [3351, 3861], {
      ...trace,
      id: 'ticket-6',
      parent_id: 'ticket-1',
      op_name: 'send_email',
      exception,
    }),
  ];
}
