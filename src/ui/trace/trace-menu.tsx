import type { ReactElement } from 'react';
import { Menu } from '../controls/menu.tsx';
import { useToast } from '../controls/toast.tsx';
import { addressOf } from '../data/ask.ts';
import { saveTraceHtml } from '../data/save-trace-html.ts';

interface TraceMenuProps {
  readonly project: string;
  readonly traceId: string;
}

/** The same trace for a terminal, a program and a colleague: whatever the page shows can be had without it. */
export function TraceMenu({ project, traceId }: TraceMenuProps): ReactElement {
  const toast = useToast();
  const copy = (what: string, text: string) => ({
    label: what,
    onSelect: () => void navigator.clipboard.writeText(text).then(() => toast({ text: `${what} copied` })),
  });
  const save = async (): Promise<void> => {
    try {
      await saveTraceHtml(project, traceId);
    } catch (error) {
      toast({ text: `The trace could not be saved: ${error instanceof Error ? error.message : String(error)}` });
    }
  };
  const service = location.origin + addressOf('');
  return (
    <Menu
      label="Copy as"
      align="end"
      button={{ icon: 'copy', children: 'Copy as…' }}
      groups={[
        [
          copy('Command', `spoor show ${traceId} --project ${project}`),
          copy('curl', curlOf(service, project, traceId)),
          copy('TypeScript', typeScriptOf(service, project, traceId)),
        ],
        [copy('Link', location.href), copy('Trace id', traceId)],
        [{ label: 'Save as one HTML file', onSelect: () => void save() }],
      ]}
    />
  );
}

function curlOf(service: string, project: string, traceId: string): string {
  const body = JSON.stringify({ project_id: project, filter: { trace_ids: [traceId] } });
  return `curl -H "authorization: Bearer $SPOOR_API_KEY" -H 'content-type: application/json' -d '${body}' ${service}/calls/stream_query`;
}

function typeScriptOf(service: string, project: string, traceId: string): string {
  return [
    "import { createReader } from 'spoor/reader';",
    '',
    `const reader = createReader({ url: '${service}', apiKey: process.env.SPOOR_API_KEY, project: '${project}' });`,
    `for await (const call of reader.calls.query({ filter: { trace_ids: ['${traceId}'] } })) console.log(call);`,
  ].join('\n');
}
