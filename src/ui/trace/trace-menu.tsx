import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { comparePath } from '../address/compare-path.ts';
import { CopyMenu } from '../calls/copy-menu.tsx';
import { useWorks } from '../calls/works.tsx';
import { useToast } from '../controls/toast.tsx';
import { saveTraceHtml } from '../data/save-trace-html.ts';
import { formatBytes } from '../format/bytes.ts';

interface TraceMenuProps {
  readonly project: string;
  readonly traceId: string;
}

/** The same trace elsewhere, also as one file. */
export function TraceMenu({ project, traceId }: TraceMenuProps): ReactElement {
  const toast = useToast();
  const works = useWorks();
  const [, navigate] = useLocation();
  const save = async (): Promise<void> => {
    const tell = works.begin(project);
    const abort = new AbortController();
    const onBytes = (bytes: number): void =>
      tell({ doing: 'Saving the trace', far: formatBytes(bytes), stop: () => abort.abort() });
    onBytes(0);
    try {
      await saveTraceHtml(project, traceId, { signal: abort.signal, onBytes });
      toast({ text: 'Trace saved' });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      toast({ text: abort.signal.aborted ? 'Saving stopped' : `The trace could not be saved: ${reason}` });
    } finally {
      tell(undefined);
    }
  };
  const others = [
    { label: 'Save as one HTML file', icon: 'download' as const, onSelect: () => void save() },
    {
      label: 'Compare with the run before',
      icon: 'swap' as const,
      keyCap: 'd',
      onSelect: () => navigate(comparePath(project, traceId)),
    },
  ];
  return <CopyMenu project={project} kind="trace" id={traceId} others={others} />;
}
