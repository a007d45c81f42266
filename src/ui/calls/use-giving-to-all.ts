import { useQueryClient } from '@tanstack/react-query';
import { useToast } from '../controls/toast.tsx';
import { type GivenFeedback, giveFeedbackToAll, removeFeedback } from '../data/give-feedback.ts';
import { countOf } from '../format/count.ts';

/** Gives the same feedback to calls, and says so; it can be taken back as long as that is shown. */
export function useGivingToAll(
  project: string,
  callIds: readonly string[],
  onDone: () => void,
): (given: GivenFeedback) => void {
  const toast = useToast();
  const client = useQueryClient();
  const refresh = async () => await client.invalidateQueries({ queryKey: ['feedback', project] });
  const takeBack = async (ids: readonly string[]) => {
    try {
      await removeFeedback(project, ids);
    } catch (error) {
      toast({ text: `Feedback could not be taken back: ${(error as Error).message}` });
    }
    await refresh();
  };
  const give = async (given: GivenFeedback) => {
    const { ids, problem } = await giveFeedbackToAll(project, callIds, given);
    if (problem === undefined) onDone();
    const calls = countOf(callIds.length, 'call');
    toast({
      text: problem ? `Feedback given to ${ids.length} of ${calls}: ${problem.message}` : `Feedback given to ${calls}`,
      ...(ids.length > 0 && { action: { label: 'Undo', run: () => void takeBack(ids) } }),
    });
    await refresh();
  };
  return (given) => {
    if (callIds.length > 0) void give(given);
  };
}
