import type { ReactElement } from 'react';
import { TRACE } from '../address/pages.ts';
import { useAddress } from '../address/use-address.ts';
import type { CallState } from '../controls/signs/status-sign.tsx';
import { CallDetail } from './call-detail.tsx';
import { CallSourceContext } from './call-source.ts';
import { useServiceSource } from './service-source.ts';

export interface ServiceCallProps {
  /** `entity/project`. */
  readonly project: string;
  readonly callId: string;
  /** How the trace says that it is. */
  readonly state?: CallState | undefined;
}

/** The call that is selected in a trace; its tab stands in the address. */
export function ServiceCall({ project, callId, state }: ServiceCallProps): ReactElement {
  const source = useServiceSource(project);
  const [{ tab }, change] = useAddress(TRACE);
  return (
    <CallSourceContext value={source}>
      <CallDetail
        key={callId}
        callId={callId}
        state={state}
        tab={tab}
        onTab={(next) => change({ tab: next }, { isReplacing: true })}
      />
    </CallSourceContext>
  );
}
