import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { hrefOfRef, quotedWord } from '../address/href-of-ref.ts';
import { CALLS } from '../address/pages.ts';
import { callPath, paths } from '../address/paths.ts';
import { viewPath } from '../address/view-path.ts';
import { Icon } from '../controls/signs/icon.tsx';
import { KindBox } from '../controls/signs/kind-box.tsx';
import type { CallRow, CallsSelection } from '../data/answers.ts';
import { useCallRow, useCallRows, useTraceRow } from '../data/call-rows.ts';
import { useFacet } from '../data/calls-stats.ts';
import { useProjects } from '../data/projects.ts';
import { useViews } from '../data/views.ts';
import { previewText } from '../format/preview.ts';
import { formatCount } from '../format/count.ts';
import { formatTime } from '../format/time.ts';
import { type KeyBinding, keysNow } from './keys.ts';
import { useShownKeys } from './shown-key.ts';

export interface Destination {
  readonly id: string;
  readonly label: string;
  /** Second reading behind the label. */
  readonly detail?: string;
  readonly sign: ReactNode;
  readonly fact?: string;
  /** As they stand on the keyboard. */
  readonly keys?: string;
  readonly go: () => void;
}

export interface DestinationGroup {
  readonly name: string;
  readonly destinations: readonly Destination[];
}

/** Of each kind, so that all kinds are seen. */
const SHOWN_OF_KIND = 6;

export interface Destinations {
  readonly groups: readonly DestinationGroup[];
  /** The words where there are none; `undefined`: the service is still being asked. */
  readonly nothing: string | undefined;
}

/** Where one can jump to from here, by what is typed. */
export function useDestinations(project: string | undefined, text: string): Destinations {
  const [, navigate] = useLocation();
  const shown = useShownKeys();
  const projects = useProjects().data ?? [];
  const byId = useDestinationsById(project, text, navigate);
  const ofProject = useDestinationsOfProject(project, navigate);
  const pages: readonly Destination[] = [
    ...(project === undefined
      ? []
      : [
          {
            id: 'calls',
            label: 'Calls',
            sign: <Icon name="calls" />,
            keys: shown('g c'),
            go: () => navigate(paths.calls(project)),
          },
          {
            id: 'threads',
            label: 'Threads',
            sign: <Icon name="bubble" />,
            keys: shown('g t'),
            go: () => navigate(paths.threads(project)),
          },
          {
            id: 'runs',
            label: 'Runs',
            sign: <Icon name="terminal" />,
            fact: shown('g r'),
            go: () => navigate(paths.runs(project)),
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
  const commands = keysNow().flatMap(({ name, bindings }) =>
    bindings.filter(isFirstOfName).map<Destination>(({ keys, label, run }) => ({
      id: `command-${name}-${label}`,
      label,
      sign: <Icon name="terminal" />,
      keys: keys.slice(0, 1).map(shown).join(''),
      go: () => run(new KeyboardEvent('keydown')),
    })),
  );
  const groups = [
    { name: 'Pages', destinations: pages },
    { name: 'By id', destinations: byId.destinations },
    ...ofProject,
    { name: 'Projects', destinations: others },
    { name: 'Commands', destinations: text === '' ? [] : commands },
  ];
  return {
    groups: groups.map((group) => matching(group, text)).filter(({ destinations }) => destinations.length > 0),
    nothing: byId.nothing,
  };
}

/** Of keys that do the same the first one stands for all. */
function isFirstOfName({ label }: KeyBinding, index: number, all: readonly KeyBinding[]): boolean {
  return all.findIndex((each) => each.label === label) === index;
}

function matching({ name, destinations }: DestinationGroup, text: string): DestinationGroup {
  const wanted = text.toLowerCase();
  const found = destinations.filter(
    ({ label, detail = '', id }) => id.startsWith('id-') || `${label} ${detail}`.toLowerCase().includes(wanted),
  );
  return { name, destinations: found.slice(0, SHOWN_OF_KIND) };
}

/** Shorter words are names. */
const ID = /^[\w.~:@-]{8,128}$/;

interface ById {
  readonly destinations: readonly Destination[];
  readonly nothing: string | undefined;
}

/** The call or the trace with an id, and what a reference leads to. */
function useDestinationsById(project: string | undefined, text: string, navigate: (path: string) => void): ById {
  const id = project !== undefined && ID.test(text) ? text : undefined;
  const call = useCallRow(project ?? '', id);
  const trace = useTraceRow(project ?? '', id);
  const href = hrefOfRef(text);
  const destinations: readonly Destination[] = [
    ...(call.data && project !== undefined ? [callById(project, call.data, navigate)] : []),
    ...(trace.data && project !== undefined && id !== undefined ? [traceById(project, id, trace.data, navigate)] : []),
    ...(href === undefined
      ? []
      : [{ id: 'id-ref', label: text, sign: <Icon name="open" />, fact: 'reference', go: () => navigate(href) }]),
  ];
  const isAsked = id !== undefined && (call.isPending || trace.isPending);
  const what =
    id === undefined ? 'Nothing is called so' : 'Nothing is called so, and no call or trace here has this id';
  return { destinations, nothing: isAsked ? undefined : what };
}

function callById(project: string, row: CallRow, navigate: (path: string) => void): Destination {
  return {
    id: `id-${row.id}`,
    label: row.name,
    sign: <KindBox kind={row.kind} />,
    fact: 'call',
    go: () => navigate(callPath(project, row.trace_id, row.id)),
  };
}

function traceById(project: string, id: string, row: CallRow, navigate: (path: string) => void): Destination {
  return {
    id: `id-trace-${id}`,
    label: `Open trace ${id}`,
    sign: <Icon name="trace" />,
    fact: formatTime(Date.parse(row.started_at), Date.now()),
    go: () => navigate(paths.trace(project, id)),
  };
}

function useDestinationsOfProject(
  project: string | undefined,
  navigate: (path: string) => void,
): readonly DestinationGroup[] {
  const selection: CallsSelection | undefined = project === undefined ? undefined : { project_id: project };
  const roots = selection && { ...selection, roots_only: true };
  const ops = useFacet(selection, 'op').data?.values ?? [];
  const rows = useCallRows(roots, undefined).data?.pages[0]?.rows ?? [];
  const views = useViews(project ?? '', project !== undefined).data ?? [];
  if (project === undefined) return [];
  const calls = (change: Parameters<typeof CALLS.write>[1]) => `${paths.calls(project)}?${CALLS.write('', change)}`;
  return [
    {
      name: 'Views',
      destinations: views.map((view) => ({
        id: `view-${view.id}`,
        label: view.name,
        sign: <Icon name="bookmark" />,
        go: () => navigate(viewPath(project, view)),
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
        label: row.name,
        detail: previewText(row.input ?? ''),
        sign: <KindBox kind={row.kind} />,
        fact: formatTime(Date.parse(row.started_at), Date.now()),
        go: () => navigate(callPath(project, row.trace_id, row.id)),
      })),
    },
  ];
}
