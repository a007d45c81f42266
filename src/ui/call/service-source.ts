import { useMemo } from 'react';
import { formatCallRef, parseRef } from '../../protocol/ref.ts';
import type { CodePlace } from '../../protocol/values/code-place.ts';
import { ask, send } from '../data/ask.ts';
import { giveFeedback, removeFeedback } from '../data/give-feedback.ts';
import { PageError } from '../data/page-error.ts';
import { useSession } from '../data/session.ts';
import { hrefOfRef } from '../address/href-of-ref.ts';
import type { CallSource, Feedback } from './call-source.ts';
import { type StoredObject, storedObjectOf, type WrittenObject } from './stored-object.ts';

/** Calls of a project of the service. */
export function useServiceSource(projectId: string): CallSource {
  const session = useSession().data;
  const [userId, opensFiles] = [session?.user_id, session?.opens_files === true];
  return useMemo(() => serviceSource(projectId, { userId, opensFiles }), [projectId, userId, opensFiles]);
}

interface Visitor {
  readonly userId?: string | undefined;
  /** The service opens files in an editor of this machine. */
  readonly opensFiles?: boolean;
}

export function serviceSource(projectId: string, { userId, opensFiles = false }: Visitor = {}): CallSource {
  return {
    projectId,
    userId,
    ...(opensFiles && { openFile }),
    hrefOfRef,
    async readCall(id, signal) {
      const body = { project_id: projectId, id, include_costs: true };
      return (await send('/x/api/call/read', body, { signal })).text();
    },
    async readFile(digest, signal) {
      const body = { project_id: projectId, digest };
      return unlessMissing(async () => (await send('/x/api/file/content', body, { signal })).blob());
    },
    async readObject(ref, signal) {
      return unlessMissing(() => readObject(projectId, ref, signal));
    },
    async readFeedback(callId, signal) {
      const query = { $expr: { $eq: [{ $getField: 'svc_ref' }, { $literal: formatCallRef(projectId, callId) }] } };
      const body = { project_id: projectId, query };
      return (await ask<{ result: readonly Feedback[] }>('/x/api/feedback/query', body, { signal })).result;
    },
    async giveFeedback(callId, given) {
      await giveFeedback(projectId, callId, given);
    },
    async removeFeedback(id) {
      await removeFeedback(projectId, [id]);
    },
  };
}

async function openFile({ file, line }: CodePlace): Promise<void> {
  await ask('/x/editor/open', { file, line });
}

async function readObject(projectId: string, text: string, signal: AbortSignal): Promise<StoredObject | undefined> {
  const ref = parseRef(text);
  if (ref.kind !== 'op' && ref.kind !== 'object') return undefined;
  const body = { project_id: projectId, object_id: ref.name, digest: ref.version };
  const { obj } = await ask<{ obj: WrittenObject }>('/x/api/obj/read', body, { signal });
  return storedObjectOf(obj);
}

async function unlessMissing<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PageError && error.status === 404) return undefined;
    throw error;
  }
}
