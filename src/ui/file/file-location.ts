import { memoryLocation } from 'wouter/memory-location';
import { type LocationHooks, rawLocation } from '../address/raw-location.ts';

export interface FileLocation extends LocationHooks {
  /** The query string as it is now. */
  readonly search: () => string;
}

/** Where one is within a file: browsers let no file change its address, so it lives as long as the page. */
export function fileLocation(): FileLocation {
  const { hook, searchHook, history } = memoryLocation({ path: '/', record: true });
  return { ...rawLocation({ hook, searchHook }), search: () => /\?(.*)$/.exec(history.at(-1) ?? '')?.[1] ?? '' };
}
