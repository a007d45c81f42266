import type { ReactElement } from 'react';
import { Menu, type MenuItem } from '../controls/menu.tsx';
import type { IconName } from '../controls/signs/icon.tsx';
import { useCopy } from '../controls/use-copy.ts';
import { curlOf, shellWord, typeScriptOf } from './copy-as.ts';

export interface CopyMenuProps {
  readonly project: string;
  readonly kind: 'trace' | 'thread';
  readonly id: string;
  /** Other forms that it can be had in. */
  readonly others?: readonly MenuItem[];
}

const COMMANDS = { trace: 'npx spoor show', thread: 'npx spoor ls --thread' };
const FILTERS = { trace: 'trace_ids', thread: 'thread_ids' } as const;

/** The same for a terminal, a program and a colleague: whatever the page shows can be had without it. */
export function CopyMenu({ project, kind, id, others = [] }: CopyMenuProps): ReactElement {
  const copy = useCopy();
  const item = (label: string, icon: IconName, text: () => string) => ({
    label,
    icon,
    onSelect: () => copy(text(), `${label} copied`),
  });
  const filter = FILTERS[kind];
  return (
    <Menu
      label="Copy as"
      align="end"
      button={{ icon: 'copy', 'aria-label': 'Copy as…', children: <span className="wide">Copy as…</span> }}
      groups={[
        [
          item('Link', 'copy', () => location.href),
          item('Command line', 'terminal', () => `${COMMANDS[kind]} ${shellWord(id)} --project ${shellWord(project)}`),
          item('curl', 'code', () => curlOf({ project_id: project, filter: { [filter]: [id] } })),
          item('TypeScript', 'ops', () => typeScriptOf(project, filter, id)),
        ],
        [item(`${kind === 'trace' ? 'Trace' : 'Thread'} id`, 'copy', () => id), ...others],
      ]}
    />
  );
}
