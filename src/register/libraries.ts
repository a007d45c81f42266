import { CAPTURES } from './captures.ts';
import type { Origin } from '../integrations/api/capture-library.ts';
import type { CapturedModules, LibraryManifest } from '../integrations/library-manifest.ts';
import { MANIFESTS } from '../integrations/manifests.ts';

/** A library that is captured as soon as the program loads it. */
export interface LoadedLibrary extends Pick<LibraryManifest, 'name' | 'userAgent'>, CapturedModules {
  readonly capture: CaptureLoaded;
}

/** Answers what `require` is to hand out in place of `exported`, where that cannot be changed. */
export type CaptureLoaded = (exported: unknown, origin: Origin) => unknown;

export const LIBRARIES: readonly LoadedLibrary[] = MANIFESTS.map(({ name, modules, userAgent }) => {
  return { name, ...modules, capture: CAPTURES[name], ...(userAgent === undefined ? {} : { userAgent }) };
});
