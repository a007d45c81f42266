import type { ReactElement } from 'react';
import { callPath } from '../address/paths.ts';
import { CallDetail } from '../call/call-detail.tsx';
import { CallSourceContext } from '../call/call-source.ts';
import { useServiceSource } from '../call/service-source.ts';
import { IconButton } from '../controls/button.tsx';
import { LinkButton } from '../controls/link-button.tsx';
import { SidePanel } from '../controls/pane/side-panel.tsx';
import type { CallRow } from '../data/answers.ts';
import { useCallRow } from '../data/call-rows.ts';
import classes from './peek-panel.module.css';

export interface PeekPanelProps {
  readonly project: string;
  readonly id: string;
  /** The row, where the list has it. */
  readonly row: CallRow | undefined;
  readonly onMove: ((by: number) => void) | undefined;
  readonly onClose: () => void;
}

/** One call beside the list; previous and next follow the list. */
export function PeekPanel({ project, id, row: known, onMove, onClose }: PeekPanelProps): ReactElement {
  const source = useServiceSource(project);
  const asked = useCallRow(project, known === undefined ? id : undefined);
  const row = known ?? asked.data ?? undefined;
  return (
    <SidePanel label="Selected call" name="peek">
      <CallSourceContext value={source}>
        <CallDetail
          callId={id}
          state={row?.state}
          actions={
            <span className={classes.actions}>
              <IconButton
                icon="chevron-up"
                label="Previous call"
                keys="k"
                isSmall
                disabled={!onMove}
                onClick={() => onMove?.(-1)}
              />
              <IconButton
                icon="chevron-down"
                label="Next call"
                keys="j"
                isSmall
                disabled={!onMove}
                onClick={() => onMove?.(1)}
              />
              {row !== undefined && (
                <LinkButton icon="trace" href={callPath(project, row.trace_id, row.id)} keyCap="Mod+Enter">
                  Open trace
                </LinkButton>
              )}
              <IconButton icon="close" label="Close" keys="Escape" isSmall onClick={onClose} />
            </span>
          }
        />
      </CallSourceContext>
    </SidePanel>
  );
}
