import type { Storage } from '../storage/contract/storage.ts';

/** The storage with other roles; it may be an instance of a class, whose methods want to be called on it. */
export function withRoles(storage: Storage, roles: Partial<Storage>): Storage {
  const { capabilities, calls, objects, files, costs, feedback, tables, threads, views } = storage;
  const { overviews, packed, retention, catchUp, writeQueue } = storage;
  return {
    capabilities,
    calls,
    objects,
    files,
    costs,
    feedback,
    tables,
    threads,
    views,
    ...(overviews && { overviews }),
    ...(packed && { packed }),
    ...(retention && { retention }),
    ...(catchUp && { catchUp: async () => await catchUp.call(storage) }),
    ...(writeQueue && { writeQueue: () => writeQueue.call(storage) }),
    checkHealth: async () => await storage.checkHealth(),
    close: async () => await storage.close(),
    ...roles,
  };
}
