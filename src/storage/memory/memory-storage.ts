import { TracingError } from '../../protocol/error.ts';
import type { Storage } from '../storage.ts';
import { MemoryCalls } from './memory-calls.ts';
import { MemoryFiles } from './memory-files.ts';
import { MemoryObjects } from './memory-objects.ts';

/** Keeps everything in this process, for tests and as the reference of what the contract means. */
export function openMemoryStorage(): Storage {
  let isOpen = true;
  return {
    capabilities: {},
    calls: new MemoryCalls(),
    objects: new MemoryObjects(),
    files: new MemoryFiles(),
    checkHealth: async () => {
      if (!isOpen) throw new TracingError('unavailable', 'Cannot use the storage: it is closed');
    },
    close: async () => {
      isOpen = false;
    },
  };
}
