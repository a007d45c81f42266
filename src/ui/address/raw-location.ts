import type { BaseLocationHook, BaseSearchHook } from 'wouter';
import { useBrowserLocation, useSearch } from 'wouter/use-browser-location';

/** How a router knows where one is. */
export interface LocationHooks {
  readonly hook: BaseLocationHook;
  readonly searchHook: BaseSearchHook;
}

/**
 * The address as it stands in the browser. The router decodes what it is told, and parts of an address are decoded where
 * they are read: done twice, `%2541` would be read as `A`. So each `%` is told in a form that the router decodes to itself.
 */
export function rawLocation({ hook: useWhere, searchHook: useQuery }: LocationHooks = BROWSER): LocationHooks {
  return {
    hook: (router: { readonly base: string }) => {
      const [path, navigate] = useWhere(router);
      // The part before the page is compared with the base, which the router decodes, too.
      const start = path.startsWith(router.base) ? router.base.length : 0;
      return [path.slice(0, start) + shielded(path.slice(start)), navigate];
    },
    searchHook: (router: object) => shielded(useQuery(router)),
  };
}

const BROWSER: LocationHooks = { hook: useBrowserLocation, searchHook: useSearch };

function shielded(text: string): string {
  return text.replaceAll('%', '%25');
}
