import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useToast } from '../controls/toast.tsx';
import { feedbackKey } from '../data/call-changes.ts';
import type { GivenFeedback } from '../data/give-feedback.ts';
import { tellTouched } from '../data/touched-calls.ts';
import { showControls } from '../json/show-controls.ts';
import { type Feedback, useCallSource } from './call-source.ts';

export interface CallFeedback {
  /** Of the call and of who looks at it: drafts are kept under it. */
  readonly key: string;
  readonly given: readonly Feedback[];
  /** Was it given by who looks at it? */
  readonly isOwn: (feedback: Feedback) => boolean;
  readonly error: Error | null;
  /** Says whether it was saved; why it was not is told. Absent where none can be given. */
  readonly give: ((feedback: GivenFeedback) => Promise<boolean>) | undefined;
  readonly remove: ((id: string) => Promise<boolean>) | undefined;
  /** Resolves when what is given is known. */
  readonly readAgain: () => Promise<void>;
}

/** The feedback that people and programs gave on a call, and a way to give more. `name`: of the call, for who is elsewhere by then. */
export function useFeedback(callId: string, name: string): CallFeedback {
  const source = useCallSource();
  const { projectId, giveFeedback, removeFeedback } = source;
  const client = useQueryClient();
  const toast = useToast();
  const queryKey = feedbackKey(projectId, callId);
  // Others give feedback, too, and a page that is paused is not told.
  const { data = [], error } = useQuery({
    queryKey,
    refetchOnMount: 'always',
    queryFn: ({ signal }) => source.readFeedback(callId, signal),
  });
  const isSaved = async (action: Promise<void>): Promise<boolean> => {
    try {
      await action;
      tellTouched(projectId, [callId]);
      return true;
    } catch (problem) {
      const reason = problem instanceof Error ? problem.message : String(problem);
      toast({ text: `Feedback on “${showControls(name)}” could not be saved: ${reason}` });
      return false;
    } finally {
      void client.invalidateQueries({ queryKey });
    }
  };
  return {
    key: JSON.stringify([source.userId, projectId, callId]),
    given: data,
    isOwn: ({ svc_user_id: user }) => source.userId !== undefined && user === source.userId,
    error,
    give: giveFeedback && ((feedback) => isSaved(giveFeedback(callId, feedback))),
    remove: removeFeedback && ((id) => isSaved(removeFeedback(id))),
    readAgain: () => client.refetchQueries({ queryKey }, { cancelRefetch: false }),
  };
}
