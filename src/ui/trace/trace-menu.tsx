import type { ReactElement } from 'react';
import { CopyMenu } from '../calls/copy-menu.tsx';
import { useToast } from '../controls/toast.tsx';
import { saveTraceHtml } from '../data/save-trace-html.ts';

interface TraceMenuProps {
  readonly project: string;
  readonly traceId: string;
}

/** The same trace elsewhere, also as one file. */
export function TraceMenu({ project, traceId }: TraceMenuProps): ReactElement {
  const toast = useToast();
  const save = async (): Promise<void> => {
    try {
      await saveTraceHtml(project, traceId);
    } catch (error) {
      toast({ text: `The trace could not be saved: ${error instanceof Error ? error.message : String(error)}` });
    }
  };
  const others = [{ label: 'Save as one HTML file', icon: 'download' as const, onSelect: () => void save() }];
  return <CopyMenu project={project} kind="trace" id={traceId} others={others} />;
}
