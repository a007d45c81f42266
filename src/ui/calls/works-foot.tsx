import { type ReactElement, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { useSize } from '../shell/use-size.ts';
import { useWorks } from './works.tsx';
import { WorkLine } from './work-line.tsx';
import classes from './works-foot.module.css';

/** The works that are under way, on every page: one may have left the list that they were begun in. */
export function WorksFoot({ project }: { readonly project: string | undefined }): ReactElement | null {
  const works = useWorks();
  const underway = useSyncExternalStore(works.subscribe, works.underway);
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  useRoomForFoot(foot);
  if (underway.size === 0) return null;
  return (
    <section ref={setFoot} className={classes.works} aria-label="Under way">
      {[...underway].map(([key, work]) => (
        <WorkLine key={key} work={work} of={work.project === project ? undefined : work.project} onLeave={goToPage} />
      ))}
    </section>
  );
}

/** Messages are shown above it, however many lines it has: for those its height stands at the page, in px. */
function useRoomForFoot(foot: HTMLElement | null): void {
  const { height } = useSize(foot);
  useLayoutEffect(() => {
    if (foot === null) return undefined;
    const { style } = document.documentElement;
    style.setProperty('--works-foot', `${height}px`);
    return () => void style.removeProperty('--works-foot');
  }, [foot, height]);
}

/** The row that one would come to by Tab, or the page. */
function goToPage(): void {
  const page = document.getElementById('main');
  (page?.querySelector<HTMLElement>('[role="row"][tabindex="0"]') ?? page)?.focus();
}
