import type { ReactElement } from 'react';

/** The sign of spoor: three steps of a trace. */
export function Mark(): ReactElement {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" fill="var(--accent)" aria-hidden="true">
      <rect x="1" y="3" width="9" height="3.5" rx="1.75" />
      <rect x="5" y="8.25" width="11" height="3.5" rx="1.75" />
      <rect x="12" y="13.5" width="7" height="3.5" rx="1.75" />
    </svg>
  );
}
