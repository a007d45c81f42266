import type { ReactElement } from 'react';
import type { CallState } from '../controls/signs/status-sign.tsx';
import type { CallRecord } from './call-record.ts';
import { PartSection } from './part-section.tsx';

const NO_OUTPUT: Readonly<Record<CallState, string>> = {
  error: 'none: the call threw',
  running: 'not yet: the call runs',
  never_ended: 'unknown: the call never ended',
  success: 'none',
  descendant_error: 'none',
};

export function InputOutput({
  record,
  state,
}: {
  readonly record: CallRecord;
  readonly state: CallState;
}): ReactElement {
  return (
    <>
      <PartSection name="Input" part={record.inputs} text={record.text} none="none" />
      <PartSection name="Output" part={record.output} text={record.text} none={NO_OUTPUT[state]} />
    </>
  );
}
