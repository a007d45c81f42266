import type { InitializeHook, LoadHook } from 'node:module';
import type { ProgramCode } from '../client/program-code.ts';
import { matcherOf } from './program-files.ts';
import { handOverOrLeave } from './program-load.ts';

/** Runs in the thread of the loader, where Node has no hooks in that of the program. */
let fileOf: (url: string) => string | undefined = () => undefined;

export const initialize: InitializeHook<ProgramCode> = (programCode) => {
  fileOf = matcherOf(programCode);
};

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  return fileOf(url) === undefined ? loaded : handOverOrLeave(url, loaded);
};
