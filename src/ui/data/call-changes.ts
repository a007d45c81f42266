import { useEffect, useRef, useState } from 'react';
import { type Changes, changesAddress, type LiveState } from './change-stream.ts';
import { followTogether } from './shared-changes.ts';

/**
 * Follows the calls of a project while the page is seen. A hidden page follows nothing; `onReturn` is called when it is
 * seen again, for one question instead of all that was missed.
 */
export function useCallChanges(
  projectId: string,
  isFollowing: boolean,
  handlers: { readonly onChanges: (changes: Changes) => void; readonly onReturn: () => void },
): LiveState {
  const [state, setState] = useState<LiveState>({ isOpen: false, lostAt: undefined });
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const isSeen = useIsSeen();
  const wasHidden = useRef(false);
  useEffect(() => {
    if (!isFollowing || !isSeen) {
      wasHidden.current = isFollowing;
      return undefined;
    }
    if (wasHidden.current) latest.current.onReturn();
    wasHidden.current = false;
    return followTogether(changesAddress(projectId), (changes) => latest.current.onChanges(changes), setState);
  }, [projectId, isFollowing, isSeen]);
  return state;
}

function useIsSeen(): boolean {
  const [isSeen, setIsSeen] = useState(() => document.visibilityState !== 'hidden');
  useEffect(() => {
    const look = () => setIsSeen(document.visibilityState !== 'hidden');
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}
