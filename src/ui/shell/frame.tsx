import { type ReactElement, type ReactNode, useState } from 'react';
import { IconButton } from '../controls/button.tsx';
import { Mark } from '../controls/signs/mark.tsx';
import { Navigation, type NavigationPlace } from './navigation.tsx';
import { PhoneBarContext } from './phone-bar.tsx';
import { PHONE, useMedia } from './use-media.ts';
import classes from './frame.module.css';

export interface FrameProps extends NavigationPlace {
  /** Above all of it, so that the line below the head still runs across the page; on a phone below the bar. */
  readonly banner?: ReactNode;
  /** Below whatever page is shown. */
  readonly foot?: ReactNode;
  readonly onJump: () => void;
  readonly children: ReactNode;
}

/** Navigation at the left and the page beside it; on a phone a bar on top. */
export function Frame({ banner, foot, children, ...place }: FrameProps): ReactElement {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const isPhone = useMedia(PHONE);
  const closeMenu = () => setIsMenuOpen(false);
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <div className={classes.app}>
        <div className={classes.banner}>{!isPhone && banner}</div>
        <Navigation {...place} isOpen={isMenuOpen} onLeave={closeMenu} />
        <div className={classes.main}>
          <header className={classes.phoneBar}>
            <span ref={setBar} className={classes.ofPage} />
            <span className={classes.usual}>
              <Mark />
              <b className="cut grow">{place.project?.split('/').at(-1) ?? 'spoor'}</b>
              <IconButton icon="search" label="Jump to" onClick={place.onJump} />
            </span>
            <IconButton
              icon="menu"
              label="Menu"
              aria-expanded={isMenuOpen}
              onClick={() => setIsMenuOpen((was) => !was)}
            />
          </header>
          {isPhone && banner}
          <main id="main" tabIndex={-1} className={classes.page}>
            <PhoneBarContext value={bar}>{children}</PhoneBarContext>
          </main>
          {foot}
        </div>
      </div>
    </>
  );
}
