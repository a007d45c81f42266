import type { ReactElement } from 'react';
import { Redirect } from 'wouter';
import { paths } from '../../address/paths.ts';
import { viewPath } from '../../address/view-path.ts';
import { Failure } from '../../controls/failure.tsx';
import { LinkButton } from '../../controls/link-button.tsx';
import { Strip } from '../../controls/strip.tsx';
import { Waiting } from '../../controls/waiting.tsx';
import { useViews } from '../../data/views.ts';

export interface OpenedViewProps {
  readonly project: string;
  /** Id of a view. */
  readonly id: string;
}

/** The list of a view that an address names by its id, as a link does whose filter would be too long to be passed on. */
export function OpenedView({ project, id }: OpenedViewProps): ReactElement {
  const { data: views, error, isFetching, refetch } = useViews(project);
  const view = views?.find((each) => each.id === id);
  if (view !== undefined) return <Redirect to={viewPath(project, view)} replace />;
  if (isFetching) {
    return (
      <Waiting what="the view" isStopped={false}>
        {null}
      </Waiting>
    );
  }
  if (error !== null) return <Failure what="The view could not be read" error={error} onRetry={() => void refetch()} />;
  return (
    <Strip
      tone="warn"
      actions={
        <LinkButton icon="calls" href={paths.calls(project)}>
          All calls
        </LinkButton>
      }
    >
      This view is not there, or no longer
    </Strip>
  );
}
