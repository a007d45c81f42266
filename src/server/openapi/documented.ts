import { SERVED, type ServedName } from '../../protocol/endpoints.ts';
import { PAGE, type PageEndpoint, type PageName } from '../../protocol/page-endpoints.ts';

export type DocumentedName = ServedName | PageName;

/** All that the document describes: the endpoints of the interface, and after them those of the page. */
export const DOCUMENTED: Readonly<Record<DocumentedName, PageEndpoint>> = { ...SERVED, ...PAGE };

/** Is it no endpoint of the interface, but one that may change with every version? */
export function isExtension(name: DocumentedName): name is PageName {
  return Object.hasOwn(PAGE, name);
}
