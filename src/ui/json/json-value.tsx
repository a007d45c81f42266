import { type ReactNode, useMemo } from 'react';
import { rootOf } from './json-node.ts';
import { JsonView } from './json-view.tsx';

/** A small value that is no range of a text, as a tree of its own. */
export function JsonValue({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  const { text, node } = useMemo(() => {
    const written = JSON.stringify(value ?? null);
    return { text: written, node: rootOf(written) };
  }, [value]);
  return <JsonView text={text} node={node} label={label} />;
}
