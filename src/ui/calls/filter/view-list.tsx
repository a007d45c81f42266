import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { CALLS } from '../../address/pages.ts';
import { viewPath } from '../../address/view-path.ts';
import { Button, IconButton } from '../../controls/button.tsx';
import { Icon } from '../../controls/signs/icon.tsx';
import { useToast } from '../../controls/toast.tsx';
import { useCopy } from '../../controls/use-copy.ts';
import type { View } from '../../data/answers.ts';
import { useDeleteView, useSaveView, useViews } from '../../data/views.ts';
import classes from './view-menu.module.css';

export interface ViewListProps {
  readonly project: string;
  /** The query string that would be saved. */
  readonly query: string;
  readonly columns: readonly string[];
  readonly close: () => void;
}

/** Views of a project, and a field that saves one more. */
export function ViewList({ project, query, columns, close }: ViewListProps): ReactElement {
  const { data: views = [], error } = useViews(project);
  const save = useSaveView(project);
  const remove = useDeleteView(project);
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const toast = useToast();
  const copy = useCopy();
  const field = useRef<HTMLInputElement>(null);
  // The popover gives the focus to what is in it when it opens: the first time, this comes later.
  useEffect(() => field.current?.focus(), []);
  const attempt = async (run: () => Promise<unknown>, done: string) => {
    try {
      await run();
      toast({ text: done });
    } catch (failure) {
      toast({ text: `The view could not be changed: ${(failure as Error).message}` });
    }
  };
  return (
    <>
      {views.map((view) => (
        <div key={view.id} className={classes.view}>
          <button
            type="button"
            className={classes.name}
            onClick={() => {
              close();
              navigate(viewPath(project, view));
            }}
          >
            <Icon name="bookmark" />
            <span className="cut">{view.name}</span>
          </button>
          <IconButton
            icon="copy"
            label={`Copy the link of the view ${view.name}`}
            isSmall
            onClick={() => copy(linkOf(view), 'Link copied')}
          />
          <IconButton
            icon="trash"
            label={`Delete the view ${view.name}`}
            isSmall
            onClick={() => void attempt(() => remove(view.id), `View ${view.name} deleted`)}
          />
        </div>
      ))}
      {views.length === 0 && <p className={classes.none}>{error === null ? 'No view was saved yet' : error.message}</p>}
      <form
        className={classes.save}
        onSubmit={(event) => {
          event.preventDefault();
          close();
          void attempt(() => save({ name: name.trim(), query, columns: [...columns] }), `View ${name.trim()} saved`);
          setName('');
        }}
      >
        <input
          ref={field}
          data-first
          aria-label="Name of the view"
          placeholder="Save this filter as…"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button isSmall type="submit" disabled={name.trim() === ''}>
          Save
        </Button>
      </form>
    </>
  );
}

/** By its id: as long as any other, however long its filter is. */
function linkOf({ id }: View): string {
  return `${location.origin}${location.pathname}?${CALLS.write('', { view: id })}`;
}
