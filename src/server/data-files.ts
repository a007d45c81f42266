/** What a data folder holds: all of it is for the user of the service only. */
export const DATA_FILES = [
  'spoor.db',
  'spoor.db-wal',
  'spoor.db-shm',
  'spoor.db-journal',
  'spoor.db-owner',
  'spoor.db-owner-journal',
  'keys.json',
  'local-key',
] as const;
