import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { CALLS } from './address/pages.ts';
import { decodedPart, paths, servicePath } from './address/paths.ts';
import { rawLocation } from './address/raw-location.ts';
import { useAddress } from './address/use-address.ts';
import { CallsPage } from './calls/calls-page.tsx';
import { Failure } from './controls/failure.tsx';
import { Waiting } from './controls/waiting.tsx';
import { PageError } from './data/page-error.ts';
import { useProjects } from './data/projects.ts';
import { createQueryClient } from './data/query-client.ts';
import { SESSION_KEY, useSession } from './data/session.ts';
import {
  ComparePage,
  EmptyPage,
  LoginPage,
  loadPageAt,
  loadPagesAhead,
  OpenedView,
  RunsPage,
  ServiceCall,
  SettingsPage,
  ThreadPage,
  ThreadsPage,
  TracePage,
} from './pages.ts';
import { lastProject } from './shell/last-project.ts';
import { remember } from './shell/remembered.ts';
import { Shell } from './shell/shell.tsx';
import { VisitorPlaces } from './visitor-places.tsx';

const RAW = rawLocation();

/** The whole page: who is asking, then the page that the address names. */
export function App(): ReactElement {
  const [goneSince, setGoneSince] = useState<number>();
  const client = useMemo(() => {
    const made = createQueryClient((error, { queryKey }) => {
      if (!(error instanceof PageError)) return;
      if (error.isGone) setGoneSince((since) => since ?? Date.now());
      // A key that was revoked and a service that was started anew end in the question for a key.
      if (error.status === 401 && queryKey[0] !== SESSION_KEY[0]) void made.resetQueries({ queryKey: SESSION_KEY });
    });
    return made;
  }, []);
  return (
    <QueryClientProvider client={client}>
      <Router base={`${servicePath(location.pathname)}/ui`} {...RAW}>
        <Pages goneSince={goneSince} onBack={() => setGoneSince(undefined)} />
      </Router>
    </QueryClientProvider>
  );
}

interface PagesProps {
  readonly goneSince: number | undefined;
  readonly onBack: () => void;
}

function Pages(props: PagesProps): ReactElement {
  const session = useSession();
  useEffect(() => {
    // While the service is asked who this is.
    loadPageAt(location.pathname);
    return loadPagesAhead();
  }, []);
  return (
    <VisitorPlaces session={session.data}>
      <PagesOf {...props} asked={session} />
    </VisitorPlaces>
  );
}

interface PagesOfProps extends PagesProps {
  readonly asked: ReturnType<typeof useSession>;
}

function PagesOf({ asked, goneSince, onBack }: PagesOfProps): ReactElement {
  const { data: session, error } = asked;
  if (error instanceof PageError && error.status === 401) return <LoginPage refusal={error} />;
  if (session === undefined) {
    return error === null ? (
      <Asking what="your session" />
    ) : (
      <Failure what="The service could not be asked" error={error} onRetry={() => void asked.refetch()} />
    );
  }
  return (
    <Shell session={session} goneSince={goneSince} onBack={onBack}>
      <Switch>
        <Route path="/settings">
          <SettingsPage session={session} />
        </Route>
        <Route path="/login">
          <Redirect to={wantedPage()} replace />
        </Route>
        <Route path="/:entity/:project/calls">
          {({ entity, project }) => (
            <OfProject project={`${decodedPart(entity)}/${decodedPart(project)}`} url={session.url} />
          )}
        </Route>
        <Route path="/:entity/:project/trace/:traceId">
          {({ entity, project, traceId }) => (
            <TraceOf project={`${decodedPart(entity)}/${decodedPart(project)}`} traceId={decodedPart(traceId)} />
          )}
        </Route>
        <Route path="/:entity/:project/compare">
          {({ entity, project }) => <CompareOf project={`${decodedPart(entity)}/${decodedPart(project)}`} />}
        </Route>
        <Route path="/:entity/:project/threads/:id">
          {({ entity, project, id }) => (
            <ThreadOf project={`${decodedPart(entity)}/${decodedPart(project)}`} threadId={decodedPart(id)} />
          )}
        </Route>
        <Route path="/:entity/:project/runs">
          {({ entity, project }) => <RunsOf project={`${decodedPart(entity)}/${decodedPart(project)}`} />}
        </Route>
        <Route path="/:entity/:project/threads">
          {({ entity, project }) => <ThreadsOf project={`${decodedPart(entity)}/${decodedPart(project)}`} />}
        </Route>
        <Route>
          <Start url={session.url} />
        </Route>
      </Switch>
    </Shell>
  );
}

function OfProject({ project, url }: { readonly project: string; readonly url: string }): ReactElement {
  useEffect(() => remember('project', project), [project]);
  const [{ view }] = useAddress(CALLS);
  if (view !== '') return <OpenedView project={project} id={view} />;
  return <CallsPage key={project} project={project} url={url} />;
}

function TraceOf({ project, traceId }: { readonly project: string; readonly traceId: string }): ReactElement {
  // Beside the page itself, not after it.
  useEffect(ServiceCall.load, []);
  useEffect(() => remember('project', project), [project]);
  return (
    <TracePage
      key={`${project} ${traceId}`}
      project={project}
      traceId={traceId}
      detail={(callId, state) => <ServiceCall project={project} callId={callId} state={state} />}
    />
  );
}

function CompareOf({ project }: { readonly project: string }): ReactElement {
  useEffect(() => remember('project', project), [project]);
  return <ComparePage key={project} project={project} />;
}

function ThreadsOf({ project }: { readonly project: string }): ReactElement {
  useEffect(() => remember('project', project), [project]);
  return <ThreadsPage key={project} project={project} />;
}

function RunsOf({ project }: { readonly project: string }): ReactElement {
  useEffect(() => remember('project', project), [project]);
  return <RunsPage key={project} project={project} />;
}

function ThreadOf({ project, threadId }: { readonly project: string; readonly threadId: string }): ReactElement {
  useEffect(() => remember('project', project), [project]);
  return <ThreadPage key={`${project} ${threadId}`} project={project} threadId={threadId} />;
}

/** Where there is a project, its calls. */
function Start({ url }: { readonly url: string }): ReactElement {
  const projects = useProjects(FIRST_PROJECT_MS);
  if (projects.error !== null) {
    return <Failure what="Projects could not be read" error={projects.error} onRetry={() => void projects.refetch()} />;
  }
  if (projects.data === undefined) return <Asking what="the projects" />;
  const project = lastProject(projects.data);
  if (project === undefined) return <EmptyPage project={undefined} url={url} />;
  return <Redirect to={paths.calls(project)} replace />;
}

/** Before anything is known there are no bars to show; what takes long is said. */
function Asking({ what }: { readonly what: string }): ReactElement {
  return (
    <main>
      <Waiting what={what} isStopped={false}>
        {null}
      </Waiting>
    </main>
  );
}

/** A link that logs in may say where it leads: a path of this page, never an address elsewhere. */
function wantedPage(): string {
  const to = new URLSearchParams(location.hash.slice(1)).get('to');
  return to !== null && /^\/(?!\/)/.test(to) ? to : paths.start;
}

/** How often a service without a project is asked for one: the first trace is to be there within a second. */
const FIRST_PROJECT_MS = 400;
