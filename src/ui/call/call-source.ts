import { createContext, useContext } from 'react';
import type { CodePlace } from '../../protocol/values/code-place.ts';
import type { GivenFeedback } from '../data/give-feedback.ts';
import type { ContentSource } from '../json/content-source.ts';
import type { StoredObject } from './stored-object.ts';

/** Where calls come from: the service, or the file in which a trace was exported. */
export interface CallSource extends ContentSource {
  readonly projectId: string;
  /** Who looks at it, where that is known. */
  readonly userId?: string | undefined;
  /** The answer of `/call/read` as it was sent, since numbers keep their digits in it. */
  readCall(id: string, signal: AbortSignal): Promise<string>;
  /** The value of an object version, such as that of an op. */
  readObject(ref: string, signal: AbortSignal): Promise<StoredObject | undefined>;
  readFeedback(callId: string, signal: AbortSignal): Promise<readonly Feedback[]>;
  /** Shows a line in the editor of who looks at it; absent where none is known. */
  readonly openFile?: ((place: CodePlace) => Promise<void>) | undefined;
  /** Absent where nothing can be changed. */
  readonly giveFeedback?: (callId: string, given: GivenFeedback) => Promise<void>;
  readonly removeFeedback?: (id: string) => Promise<void>;
}

export interface Feedback extends GivenFeedback {
  readonly id: string;
  readonly created_at: string;
  readonly creator: string | null;
  readonly svc_user_id: string | null;
}

export const CallSourceContext = createContext<CallSource | undefined>(undefined);

export function useCallSource(): CallSource {
  const source = useContext(CallSourceContext);
  if (source === undefined) throw new TypeError('A call is shown without a source of calls around it');
  return source;
}
