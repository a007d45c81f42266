import { lateLine, latePart } from './controls/late-part.tsx';

// The pages, each with its own code, but for the list of calls: that is where nearly everyone begins, and comes with the start.
export const LoginPage = latePart(async () => (await import('./login/login-page.tsx')).LoginPage);
export const EmptyPage = latePart(async () => (await import('./empty/empty-page.tsx')).EmptyPage);
export const OpenedView = latePart(async () => (await import('./calls/filter/opened-view.tsx')).OpenedView);
export const TracePage = latePart(async () => (await import('./trace/trace-page.tsx')).TracePage);
export const ComparePage = latePart(async () => (await import('./compare/compare-page.tsx')).ComparePage);
export const ServiceCall = lateLine(async () => (await import('./call/service-call.tsx')).ServiceCall);
export const ThreadsPage = latePart(async () => (await import('./threads/threads-page.tsx')).ThreadsPage);
export const ThreadPage = latePart(async () => (await import('./threads/thread-page.tsx')).ThreadPage);
export const RunsPage = latePart(async () => (await import('./runs/runs-page.tsx')).RunsPage);
export const SettingsPage = latePart(async () => (await import('./settings/settings-page.tsx')).SettingsPage);

const OF_PATHS: readonly (readonly [path: RegExp, load: () => void])[] = [
  [/\/login$/, LoginPage.load],
  [/\/settings$/, SettingsPage.load],
  [/\/runs$/, RunsPage.load],
  [/\/threads$/, ThreadsPage.load],
  [/\/threads\/[^/]+$/, ThreadPage.load],
  [/\/trace\/[^/]+$/, TracePage.load],
  [/\/compare$/, ComparePage.load],
];

/** Loads the code of the page that is at a path, as it is about to be shown. */
export function loadPageAt(path: string): void {
  for (const [pattern, load] of OF_PATHS) if (pattern.test(path)) load();
}

/** Loads the code of pages whose links somebody points at or comes to by keys; returns what ends that. */
export function loadPagesAhead(): () => void {
  const meet = ({ target }: Event): void => {
    const link = target instanceof Element ? target.closest('a[href], [role=row]') : null;
    const href = link?.getAttribute('href') ?? link?.querySelector('a[href]')?.getAttribute('href');
    if (href != null) loadPageAt(new URL(href, location.href).pathname);
  };
  const events = ['pointerover', 'focusin'];
  for (const name of events) addEventListener(name, meet, { passive: true });
  return () => events.forEach((name) => removeEventListener(name, meet));
}
