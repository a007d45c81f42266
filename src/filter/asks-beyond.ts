import type { FilterContext } from './field-condition.ts';
import { toSelection } from './to-selection.ts';
import type { FieldNode, FilterTree } from './tree.ts';

/** The first condition of a filter that the service cannot be asked for; it stands in the text where its span says. */
export function firstBeyond(tree: FilterTree, context: FilterContext): FieldNode | undefined {
  switch (tree.kind) {
    case 'and':
    case 'or':
      for (const part of tree.parts) {
        const found = firstBeyond(part, context);
        if (found !== undefined) return found;
      }
      return undefined;
    case 'not':
      return firstBeyond(tree.part, context);
    case 'words':
      return undefined;
    case 'field':
      return toSelection(tree, context).beyond === undefined ? undefined : tree;
  }
}
