export type { TraceSkeleton } from '../../../protocol/page/skeleton.ts';

/** The values that `states` of a skeleton holds: places in `SKELETON_STATES`, by name. */
export const CallState = { success: 0, error: 1, running: 2, neverEnded: 3, descendantError: 4 } as const;
