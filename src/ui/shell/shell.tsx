import { Fragment, type ReactElement, type ReactNode, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { decodedPart, paths } from '../address/paths.ts';
import { WorksFoot } from '../calls/use-actions.tsx';
import { useIsAnyWork } from '../calls/works.tsx';
import { Boundary } from '../controls/boundary.tsx';
import { latePart } from '../controls/late-part.tsx';
import type { Session } from '../data/answers.ts';
import { useProjects } from '../data/projects.ts';
import { command } from './commands.ts';
import { Frame } from './frame.tsx';
import { GoneBanner, useSignOfLife } from './gone-banner.tsx';
import { GoneContext } from './gone.ts';
import { HeldKeys } from './held-keys.ts';
import { handleKey, useKeys } from './keys.ts';
import { lastProject } from './last-project.ts';
import { recall } from './remembered.ts';
import { useRowHeight } from './row-height.ts';
import { otherTheme, useTheme } from './theme.ts';
import { useZone } from './zone.ts';

const JumpBox = latePart(async () => (await import('./jump-box.tsx')).JumpBox, HeldKeys);
const KeysHelp = latePart(async () => (await import('./keys-help.tsx')).KeysHelp, HeldKeys);

export interface ShellProps {
  readonly session: Session;
  readonly goneSince: number | undefined;
  readonly onBack: () => void;
  readonly children: ReactNode;
}

/** The frame around every page, and what works on all of them. */
export function Shell({ session, goneSince, onBack, children }: ShellProps): ReactElement {
  const [open, setOpen] = useState<'jump' | 'keys'>();
  const [path] = useLocation();
  const project = useProjectHere();
  const close = useCallback(() => setOpen(undefined), []);
  useShellKeys(project, setOpen);
  const isAnyWork = useIsAnyWork();
  useSignOfLife(session, isAnyWork);
  useRowHeight();
  const [zone] = useZone();
  return (
    <Frame
      project={project}
      session={session}
      isGone={goneSince !== undefined}
      onJump={() => setOpen('jump')}
      banner={goneSince !== undefined && <GoneBanner since={goneSince} onBack={onBack} />}
      foot={isAnyWork && <WorksFoot project={project} />}
    >
      <Boundary what="This page could not be shown" resetKey={path}>
        {/* The settings draw their own times, or the clock that is chosen there would take the focus with it. */}
        <Fragment key={path === paths.settings ? 'settings' : zone}>
          <GoneContext value={goneSince !== undefined}>{children}</GoneContext>
        </Fragment>
      </Boundary>
      {open === 'jump' && <JumpBox project={project} onClose={close} />}
      {open === 'keys' && <KeysHelp isOfAll={path === paths.settings} onClose={close} />}
    </Frame>
  );
}

/** The project of the address; on pages without one, the last that was seen, or the first. */
function useProjectHere(): string | undefined {
  const [path] = useLocation();
  const { data: projects } = useProjects();
  const here = /^\/([^/]+)\/([^/]+)\/\w/.exec(path);
  if (here !== null) return `${decodedPart(here[1])}/${decodedPart(here[2])}`;
  return projects === undefined ? recall('project') : lastProject(projects);
}

function useShellKeys(project: string | undefined, open: (what: 'jump' | 'keys') => void): void {
  const [, navigate] = useLocation();
  const [theme, setTheme] = useTheme();
  useEffect(() => {
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);
  useKeys('Everywhere', [
    { ...command('Everywhere', 'Mod+k'), isEverywhere: true, run: () => open('jump') },
    { ...command('Everywhere', '?'), run: () => open('keys') },
    { ...command('Everywhere', 't'), run: () => setTheme(otherTheme(theme)) },
    ...(project === undefined
      ? []
      : [
          { ...command('Everywhere', 'g c'), run: () => navigate(paths.calls(project)) },
          { ...command('Everywhere', 'g t'), run: () => navigate(paths.threads(project)) },
          { ...command('Everywhere', 'g r'), run: () => navigate(paths.runs(project)) },
        ]),
  ]);
}
