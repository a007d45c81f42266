import type { ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { paths } from '../address/paths.ts';
import { Icon, type IconName } from '../controls/signs/icon.tsx';
import { KeyCap } from '../controls/signs/key-cap.tsx';
import type { Session } from '../data/answers.ts';
import classes from './navigation.module.css';
import { ProjectButton } from './project-button.tsx';

export interface NavigationPlace {
  readonly project: string | undefined;
  readonly session: Session;
  /** Since when the service does not answer. */
  readonly isGone: boolean;
  readonly onJump: () => void;
}

export interface NavigationProps extends NavigationPlace {
  /** On a phone it is a sheet. */
  readonly isOpen: boolean;
  readonly onLeave: () => void;
}

/** Where one can go. */
export function Navigation({ project, session, isGone, onJump, isOpen, onLeave }: NavigationProps): ReactElement {
  return (
    <nav className={`${classes.nav} ${isOpen ? classes.open : ''}`} aria-label="Main" onClick={onLeave}>
      <ProjectButton project={project} />
      <button type="button" className={classes.jump} title="Jump to" onClick={onJump}>
        <Icon name="search" />
        <span className="grow">Jump to…</span>
        <KeyCap keys="Mod+k" />
      </button>
      {project !== undefined && (
        <ul>
          <Entry icon="calls" to={paths.calls(project)} also={[`/${project}/trace/`, paths.compare(project)]}>
            Calls
          </Entry>
          <Entry icon="bubble" to={paths.threads(project)}>
            Threads
          </Entry>
          <Entry icon="terminal" to={paths.runs(project)}>
            Runs
          </Entry>
        </ul>
      )}
      <ul className={classes.push}>
        <Entry icon="sliders" to={paths.settings}>
          Settings
        </Entry>
      </ul>
      <div className={classes.server} title={`spoor ${session.version}, ${session.url}`}>
        <span className={isGone ? classes.gone : classes.dot} />
        <span className="num-s cut">{isGone ? 'not reached' : session.url.replace(/^https?:\/\//, '')}</span>
      </div>
    </nav>
  );
}

interface EntryProps {
  readonly icon: IconName;
  readonly to: string;
  /** Other pages that belong to it. */
  readonly also?: readonly string[];
  readonly children: string;
}

function Entry({ icon, to, also = [], children }: EntryProps): ReactElement {
  const [path] = useLocation();
  const isHere = path === to || path.startsWith(`${to}/`) || also.some((other) => path.startsWith(other));
  return (
    <li>
      <Link href={to} aria-current={isHere ? 'page' : undefined} title={children}>
        <Icon name={icon} />
        <span>{children}</span>
      </Link>
    </li>
  );
}
