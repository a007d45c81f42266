import { formatCallRef } from '../../protocol/ref.ts';
import { ask } from './ask.ts';
import { inParts } from './in-parts.ts';

/** Requests under way at a time: each gives feedback to one call, and others ask the service too. */
const AT_A_TIME = 6;

/** Ids that are named in one request: the service takes 1,000 operands, unless it is told otherwise. */
const NAMED_IDS = 500;

export interface GivenFeedback {
  readonly feedback_type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Gives feedback to a call, and resolves to the id of the feedback. */
export async function giveFeedback(projectId: string, callId: string, given: GivenFeedback): Promise<string> {
  const body = { project_id: projectId, svc_ref: formatCallRef(projectId, callId), ...given };
  return (await ask<{ readonly id: string }>('/x/api/feedback/create', body)).id;
}

/** The ids of the feedback that was given, and the error that kept the rest from it. */
export interface GivenToCalls {
  readonly ids: readonly string[];
  readonly problem: Error | undefined;
}

export interface GivingOptions {
  /** Once it is aborted no more calls get it; those that are under way do. */
  readonly signal?: AbortSignal;
  /** Told how many calls have it, after each. */
  readonly onGiven?: (count: number) => void;
}

/** Gives the same feedback to many calls. Nothing more is asked after a refusal: the rest would be refused as well. */
export async function giveFeedbackToAll(
  projectId: string,
  callIds: readonly string[],
  given: GivenFeedback,
  { signal, onGiven }: GivingOptions = {},
): Promise<GivenToCalls> {
  const ids: string[] = [];
  let next = 0;
  let problem: Error | undefined;
  const nextCall = (): string | undefined =>
    problem === undefined && signal?.aborted !== true ? callIds[next++] : undefined;
  const work = async (): Promise<void> => {
    for (let id = nextCall(); id !== undefined; id = nextCall()) {
      try {
        const count = ids.push(await giveFeedback(projectId, id, given));
        onGiven?.(count);
      } catch (error) {
        problem ??= error instanceof Error ? error : new Error(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return { ids, problem };
}

/** Removes feedback by its ids; ids that are not there do no harm. */
export async function removeFeedback(projectId: string, ids: readonly string[]): Promise<void> {
  for (const part of inParts(ids, NAMED_IDS)) {
    const query = { $expr: { $in: [{ $getField: 'id' }, part.map((id) => ({ $literal: id }))] } };
    await ask('/x/api/feedback/purge', { project_id: projectId, query });
  }
}
