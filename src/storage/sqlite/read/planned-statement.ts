import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseJson, stringifyJson } from '../../../protocol/values/json.ts';
import type { CallPlan, CallSelection, FeedbackPlan } from '../../contract/plan.ts';
import type { Dialect } from '../../sql/dialect.ts';
import type { Sql } from '../../sql/sql.ts';
import { sqliteDialect } from './dialect.ts';
import { printCount, printKeys, printUnsortedKeys } from './select-calls.ts';
import { printFeedbackCount, printFeedbackKeys } from './select-feedback.ts';

/**
 * A statement as the plan that it is printed from. The SQL of a large query is forty times as long as the query and
 * takes half a second to print: the thread that runs a statement prints it, so that no other request waits.
 */
export interface PlannedStatement {
  readonly kind: keyof typeof PRINTERS;
  /** JSON text: plans have numbers of a class of ours, which would not survive the way between threads. */
  readonly plan: string;
  /** Where counting stops. */
  readonly limit?: number | undefined;
}

/** A statement as a thread is sent it: itself, or what to print it from. */
export type SentStatement = Sql | PlannedStatement;

const PRINTERS = {
  calls: (plan: JsonValue) => printKeys(plan as unknown as CallPlan, sqliteDialect),
  unsortedCalls: (plan: JsonValue) => printUnsortedKeys(plan as unknown as CallSelection, sqliteDialect),
  callCount: (plan: JsonValue, limit?: number) => printCount(plan as unknown as CallSelection, limit, sqliteDialect),
  feedback: (plan: JsonValue) => printFeedbackKeys(plan as unknown as FeedbackPlan),
  feedbackCount: (plan: JsonValue) => printFeedbackCount(plan as unknown as FeedbackPlan),
};

/** The keys of the calls of a plan. A dialect of somebody else cannot be sent: then it is printed here. */
export function sentKeys(plan: CallPlan, dialect: Dialect): SentStatement {
  // Bodies are asked for beside the statement.
  return dialect === sqliteDialect ? planned('calls', { ...plan, bodies: [] }) : printKeys(plan, dialect);
}

/** The keys of the calls of a selection, in no order. */
export function sentUnsortedKeys(selection: CallSelection, dialect: Dialect): SentStatement {
  return dialect === sqliteDialect ? planned('unsortedCalls', selection) : printUnsortedKeys(selection, dialect);
}

export function sentCount(selection: CallSelection, limit: number | undefined, dialect: Dialect): SentStatement {
  if (dialect !== sqliteDialect) return printCount(selection, limit, dialect);
  return { ...planned('callCount', selection), limit };
}

export function sentFeedbackKeys(plan: FeedbackPlan): SentStatement {
  return planned('feedback', plan);
}

export function sentFeedbackCount(plan: FeedbackPlan): SentStatement {
  return planned('feedbackCount', plan);
}

function planned(kind: PlannedStatement['kind'], plan: object): PlannedStatement {
  return { kind, plan: stringifyJson(plan as JsonValue) };
}

/** The statement to run. */
export function statementOf(sent: SentStatement): Sql {
  return 'plan' in sent ? PRINTERS[sent.kind](parseJson(sent.plan), sent.limit) : sent;
}
