import { type ReactElement, useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../../address/paths.ts';
import { Button, IconButton } from '../../controls/button.tsx';
import { Icon } from '../../controls/signs/icon.tsx';
import { Popover } from '../../controls/popover.tsx';
import { useToast } from '../../controls/toast.tsx';
import { useDeleteView, useSaveView, useViews } from '../../data/views.ts';
import classes from './view-menu.module.css';

export interface ViewMenuProps {
  readonly project: string;
  /** What would be saved. */
  readonly query: string;
  readonly columns: readonly string[];
}

/** Filters that were given a name, for everyone of the project and the command line. */
export function ViewMenu({ project, query, columns }: ViewMenuProps): ReactElement {
  const { data: views = [], error } = useViews(project);
  const { mutateAsync: save } = useSaveView(project);
  const { mutateAsync: remove } = useDeleteView(project);
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const toast = useToast();
  const attempt = async (run: () => Promise<unknown>, done: string) => {
    try {
      await run();
      toast({ text: done });
    } catch (failure) {
      toast({ text: `The view could not be changed: ${(failure as Error).message}` });
    }
  };
  return (
    <Popover
      label="Views"
      role="dialog"
      align="end"
      className={classes.pop}
      button={{ icon: 'bookmark', className: 'wide', children: 'Views' }}
    >
      {(close) => (
        <>
          {views.map((view) => (
            <div key={view.id} className={classes.view}>
              <button
                type="button"
                className={classes.name}
                onClick={() => {
                  close();
                  navigate(`${paths.calls(project)}?${view.query}`);
                }}
              >
                <Icon name="bookmark" />
                <span className="cut">{view.name}</span>
              </button>
              <IconButton
                icon="trash"
                label={`Delete the view ${view.name}`}
                isSmall
                onClick={() => void attempt(() => remove(view.id), `View ${view.name} deleted`)}
              />
            </div>
          ))}
          {views.length === 0 && (
            <p className={classes.none}>{error === null ? 'No view was saved yet' : error.message}</p>
          )}
          <form
            className={classes.save}
            onSubmit={(event) => {
              event.preventDefault();
              close();
              void attempt(
                () => save({ name: name.trim(), query, columns: [...columns] }),
                `View ${name.trim()} saved`,
              );
              setName('');
            }}
          >
            <input
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
      )}
    </Popover>
  );
}
