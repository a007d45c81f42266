import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { quotedWord } from '../address/href-of-ref.ts';
import { CALLS } from '../address/pages.ts';
import { callPath, paths } from '../address/paths.ts';
import { Icon } from '../controls/signs/icon.tsx';
import { KindBox } from '../controls/signs/kind-box.tsx';
import type { CallsSelection } from '../data/answers.ts';
import { useCallRow, useCallRows } from '../data/call-rows.ts';
import { useFacet } from '../data/calls-stats.ts';
import { useProjects } from '../data/projects.ts';
import { useViews } from '../data/views.ts';
import { previewText } from '../format/preview.ts';
import { formatCount } from '../format/count.ts';
import { formatTime } from '../format/time.ts';
import { keysNow, shownKey } from './keys.ts';

export interface Destination {
  readonly id: string;
  readonly label: string;
  readonly sign: ReactNode;
  readonly fact?: string;
  readonly go: () => void;
}

export interface DestinationGroup {
  readonly name: string;
  readonly destinations: readonly Destination[];
}

/** Of each kind, so that all kinds are seen. */
const SHOWN_OF_KIND = 6;

/** Where one can jump to from here, by what is typed. */
export function useDestinations(project: string | undefined, text: string): readonly DestinationGroup[] {
  const [, navigate] = useLocation();
  const projects = useProjects().data ?? [];
  const ofProject = useDestinationsOfProject(project, text, navigate);
  const pages: readonly Destination[] = [
    ...(project === undefined
      ? []
      : [
          {
            id: 'calls',
            label: 'Calls',
            sign: <Icon name="calls" />,
            fact: 'g c',
            go: () => navigate(paths.calls(project)),
          },
          {
            id: 'threads',
            label: 'Threads',
            sign: <Icon name="bubble" />,
            fact: 'g t',
            go: () => navigate(paths.threads(project)),
          },
        ]),
    { id: 'settings', label: 'Settings', sign: <Icon name="sliders" />, go: () => navigate(paths.settings) },
  ];
  const others = projects.map<Destination>(({ project_id: id, calls }) => ({
    id: `project-${id}`,
    label: id,
    sign: <Icon name="trace" />,
    fact: formatCount(calls),
    go: () => navigate(paths.calls(id)),
  }));
  const commands = keysNow().flatMap(({ bindings }) =>
    bindings.map<Destination>(({ keys, label, run }) => ({
      id: `command-${label}`,
      label,
      sign: <Icon name="terminal" />,
      fact: keys.slice(0, 1).map(shownKey).join(''),
      go: () => run(new KeyboardEvent('keydown')),
    })),
  );
  const groups = [
    { name: 'Pages', destinations: pages },
    ...ofProject,
    { name: 'Projects', destinations: others },
    { name: 'Commands', destinations: text === '' ? [] : commands },
  ];
  return groups.map((group) => matching(group, text)).filter(({ destinations }) => destinations.length > 0);
}

function matching({ name, destinations }: DestinationGroup, text: string): DestinationGroup {
  const wanted = text.toLowerCase();
  const found = destinations.filter(({ label, id }) => id.startsWith('id-') || label.toLowerCase().includes(wanted));
  return { name, destinations: found.slice(0, SHOWN_OF_KIND) };
}

const ID = /^[\w-]{8,64}$/;

function useDestinationsOfProject(
  project: string | undefined,
  text: string,
  navigate: (path: string) => void,
): readonly DestinationGroup[] {
  const selection: CallsSelection | undefined = project === undefined ? undefined : { project_id: project };
  const roots = selection && { ...selection, roots_only: true };
  const ops = useFacet(selection, 'op').data?.values ?? [];
  const rows = useCallRows(roots, undefined).data?.pages[0]?.rows ?? [];
  const views = useViews(project ?? '', project !== undefined).data ?? [];
  const wantedId = project !== undefined && ID.test(text) ? text : undefined;
  const byId = useCallRow(project ?? '', wantedId).data;
  if (project === undefined) return [];
  const calls = (change: Parameters<typeof CALLS.write>[1]) => `${paths.calls(project)}?${CALLS.write('', change)}`;
  return [
    {
      name: 'By id',
      destinations: [
        ...(byId
          ? [
              {
                id: `id-${byId.id}`,
                label: byId.name,
                sign: <KindBox kind={byId.kind} />,
                fact: 'call',
                go: () => navigate(callPath(project, byId.trace_id, byId.id)),
              },
            ]
          : []),
        ...(wantedId !== undefined && wantedId.length >= 16 && !byId
          ? [
              {
                id: `id-trace-${wantedId}`,
                label: `Open trace ${wantedId}`,
                sign: <Icon name="trace" />,
                go: () => navigate(paths.trace(project, wantedId)),
              },
            ]
          : []),
      ],
    },
    {
      name: 'Views',
      destinations: views.map(({ id, name, query }) => ({
        id: `view-${id}`,
        label: name,
        sign: <Icon name="bookmark" />,
        go: () => navigate(`${paths.calls(project)}?${query}`),
      })),
    },
    {
      name: 'Ops',
      destinations: ops.map(({ value, count }) => ({
        id: `op-${value}`,
        label: value,
        sign: <Icon name="ops" />,
        fact: formatCount(count),
        go: () => navigate(calls({ q: `op:${quotedWord(value)}`, t: 'all', roots: false })),
      })),
    },
    {
      name: 'Calls',
      destinations: rows.map((row) => ({
        id: `call-${row.id}`,
        label: `${row.name} ${previewText(row.input ?? '')}`.trim(),
        sign: <KindBox kind={row.kind} />,
        fact: formatTime(Date.parse(row.started_at), Date.now()),
        go: () => navigate(callPath(project, row.trace_id, row.id)),
      })),
    },
  ];
}
