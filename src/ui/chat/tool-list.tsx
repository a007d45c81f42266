import { type ReactNode, useState } from 'react';
import { JsonValue } from '../json/json-value.tsx';
import { PlainText } from '../json/long-text.tsx';
import { showControls } from '../json/show-controls.ts';
import { Icon } from '../controls/signs/icon.tsx';
import type { ToolDefinition } from './chat.ts';
import classes from './chat.module.css';

/** Names that fit into a line; the rest are a number. */
const NAMED = 3;

/** The tools that the model could call, folded to their names. */
export function ToolList({ tools }: { readonly tools: readonly ToolDefinition[] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (tools.length === 0) return null;
  return (
    <>
      <button type="button" className={classes.folded} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
        <b>Tools</b>
        <bdi className={classes.cutText}>{namesOf(tools)}</bdi>
        <span className={classes.end}>{tools.length}</span>
      </button>
      {isOpen && (
        <ul className={classes.tools}>
          {tools.map((tool, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <b>{showControls(tool.name)}</b>
              {tool.description !== undefined && <PlainText text={tool.description} />}
              {typeof tool.value === 'object' && <JsonValue value={tool.value} label={tool.name} />}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function namesOf(tools: readonly ToolDefinition[]): string {
  const names = tools.slice(0, NAMED).map(({ name }) => name);
  const more = tools.length > NAMED ? ` + ${tools.length - NAMED}` : '';
  return showControls(names.join(', ') + more);
}
