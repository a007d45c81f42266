import { type ReactElement, type ReactNode, useState } from 'react';
import { WorksPlace } from './calls/works.tsx';
import { ToastPlace } from './controls/toast.tsx';
import type { Session } from './data/answers.ts';
import { visitorOf } from './data/session.ts';

export interface VisitorPlacesProps {
  /** `undefined` while there is none. */
  readonly session: Session | undefined;
  readonly children: ReactNode;
}

/**
 * The places of what one has begun and was told: it is not for the next one at this page, but stays while nobody is logged in, as the same one
 * may come back.
 */
export function VisitorPlaces({ session, children }: VisitorPlacesProps): ReactElement {
  const now = session && visitorOf(session);
  const [visitor, setVisitor] = useState(now);
  if (now !== undefined && now !== visitor) setVisitor(now);
  return (
    <ToastPlace key={visitor}>
      <WorksPlace>{children}</WorksPlace>
    </ToastPlace>
  );
}
