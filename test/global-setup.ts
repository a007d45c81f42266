import { buildOnce } from './build.ts';

/** What is built is newer than its sources in each run of tests. */
export const setup = buildOnce;
