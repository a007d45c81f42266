import type { ReactNode } from 'react';
import { IconButton } from '../../controls/button.tsx';
import { InPhoneBar } from '../../shell/phone-bar.tsx';

interface PhoneStepsProps {
  /** Absent: there are no calls to go through. */
  readonly onStep?: (lines: 1 | -1) => void;
  readonly onBack: (() => void) | undefined;
}

/** On a phone there are no keys: the bar on top leads back, and to the call before and the next one. */
export function PhoneSteps({ onStep, onBack }: PhoneStepsProps): ReactNode {
  return (
    <InPhoneBar>
      {onBack && <IconButton icon="back" label="Back to calls" onClick={onBack} />}
      <b className="cut grow">Calls</b>
      <IconButton icon="chevron-up" label="Previous call" disabled={!onStep} onClick={() => onStep?.(-1)} />
      <IconButton icon="chevron-down" label="Next call" disabled={!onStep} onClick={() => onStep?.(1)} />
    </InPhoneBar>
  );
}
