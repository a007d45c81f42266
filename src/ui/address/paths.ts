/** Paths of the pages below the address of the page itself. A project is `entity/project`. */
export const paths = {
  start: '/',
  login: '/login',
  settings: '/settings',
  calls: (project: string) => `/${escaped(project)}/calls`,
  trace: (project: string, traceId: string) => `/${escaped(project)}/trace/${encodeURIComponent(traceId)}`,
  compare: (project: string) => `/${escaped(project)}/compare`,
  runs: (project: string) => `/${escaped(project)}/runs`,
  threads: (project: string) => `/${escaped(project)}/threads`,
  thread: (project: string, threadId: string) => `/${escaped(project)}/threads/${encodeURIComponent(threadId)}`,
};

function escaped(project: string): string {
  return project.split('/').map(encodeURIComponent).join('/');
}

/** The address of the service as this page was reached, without a slash at its end: it may be below a path of a proxy. */
export function servicePath(pathname: string): string {
  return /^(.*?)\/ui(?:\/|$)/.exec(pathname)?.[1] ?? '';
}

/** Where one call is seen in its trace. */
export function callPath(project: string, traceId: string, callId: string): string {
  return `${paths.trace(project, traceId)}?call=${encodeURIComponent(callId)}`;
}

/** A part of a path as what it was made of. What no path of ours is stays as it is: the service will say that it has no such. */
export function decodedPart(part: string | undefined): string {
  try {
    return decodeURIComponent(part ?? '');
  } catch {
    return part ?? '';
  }
}
