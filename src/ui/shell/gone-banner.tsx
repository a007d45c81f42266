import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import { Button } from '../controls/button.tsx';
import { Strip } from '../controls/strip.tsx';
import type { Session } from '../data/answers.ts';
import { askWhoIsHere, LIFE_KEY, onOtherSession, showTo, visitorOf } from '../data/session.ts';
import { formatClock } from '../format/time.ts';

/** How often a page that asks for nothing looks whether the service is there. */
const LOOK_MS = 10_000;

/**
 * Asks the service for a sign of life as long as the page is seen: a page that asks for nothing would not see it go, nor that
 * somebody else has logged in in another window of this browser, who has not been shown what is here.
 *
 * @param isWorking the page does something by itself, in the name of who began it: it asks also while nobody sees it
 */
export function useSignOfLife(session: Session, isWorking: boolean): void {
  const client = useQueryClient();
  const { data: here } = useQuery({
    queryKey: LIFE_KEY,
    queryFn: ({ signal }) => askWhoIsHere(signal),
    refetchInterval: LOOK_MS,
    refetchIntervalInBackground: isWorking,
    // Whoever comes back from another window.
    refetchOnWindowFocus: 'always',
    retry: false,
  });
  useEffect(() => onOtherSession(() => void client.invalidateQueries({ queryKey: LIFE_KEY })), [client]);
  useEffect(() => {
    if (here !== undefined && visitorOf(here) !== visitorOf(session)) showTo(client, here);
  }, [client, here, session]);
}

/** How often a service that is gone is asked whether it is back. */
const ASK_AGAIN_MS = 3000;

export interface GoneBannerProps {
  readonly since: number;
  readonly onBack: () => void;
}

/** The service does not answer: what is shown stays, and is read again when it is back. */
export function GoneBanner({ since, onBack }: GoneBannerProps): ReactElement {
  const client = useQueryClient();
  const reconnect = async () => {
    try {
      await askWhoIsHere();
    } catch (error) {
      if (isStillGone(error)) return;
    }
    onBack();
    await client.invalidateQueries();
  };
  useEffect(() => {
    const timer = setInterval(() => void reconnect(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  });
  return (
    <Strip
      tone="warn"
      icon="live"
      actions={
        <Button isSmall onClick={() => void reconnect()}>
          Reconnect
        </Button>
      }
    >
      Service gone since <span className="num">{formatClock(since)}</span>. What is shown is from then.
    </Strip>
  );
}

function isStillGone(error: unknown): boolean {
  return error instanceof Error && 'isGone' in error && error.isGone === true;
}
