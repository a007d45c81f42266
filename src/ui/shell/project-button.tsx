import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../address/paths.ts';
import { useWorks } from '../calls/works.tsx';
import { Mark } from '../controls/signs/mark.tsx';
import { Menu, type MenuItem } from '../controls/menu.tsx';
import { useFinish, useToast } from '../controls/toast.tsx';
import { useProjects } from '../data/projects.ts';
import { leave, SESSION_KEY } from '../data/session.ts';
import { formatCount } from '../format/count.ts';
import { otherTheme, useTheme } from './theme.ts';
import classes from './project-button.module.css';

/** The project that is seen, the others, and the way out. */
export function ProjectButton({ project }: { readonly project: string | undefined }): ReactElement {
  const { data: projects = [] } = useProjects();
  const [, navigate] = useLocation();
  const [theme, setTheme] = useTheme();
  const client = useQueryClient();
  const toast = useToast();
  const finish = useFinish();
  const works = useWorks();
  const items = projects.map<MenuItem>(({ project_id: id, calls }) => ({
    id,
    label: nameOf(id),
    fact: formatCount(calls),
    isChosen: id === project,
    onSelect: () => navigate(paths.calls(id)),
  }));
  const out = async () => {
    works.stop();
    // Without a session nothing can be deleted any more.
    await finish();
    try {
      await leave();
    } catch (error) {
      return toast({ text: `You are still logged in: ${error instanceof Error ? error.message : String(error)}` });
    }
    await client.resetQueries({ queryKey: SESSION_KEY });
  };
  const own: readonly MenuItem[] = [
    { label: 'Switch theme', icon: 'moon', keyCap: 't', onSelect: () => setTheme(otherTheme(theme)) },
    { label: 'Log out', icon: 'leave', onSelect: () => void out() },
  ];
  return (
    <div className={classes.place}>
      <Menu
        label="Projects"
        button={{
          className: classes.project,
          title: project ?? 'Projects',
          hasMenu: true,
          children: (
            <>
              <Mark />
              <b className="cut grow">{project === undefined ? 'spoor' : nameOf(project)}</b>
            </>
          ),
        }}
        groups={[items, own]}
      />
    </div>
  );
}

/** The entity says nothing where there is one user, as on the own machine. */
function nameOf(project: string): string {
  return project.startsWith('local/') ? project.slice('local/'.length) : project;
}
