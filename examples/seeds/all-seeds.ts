import { CALLS_10K, CALLS_100K } from './calls.ts';
import { seed as seedDay } from './day.ts';
import { DEEP } from './deep.ts';
import { HOSTILE } from './hostile.ts';
import { MEDIA, seedMedia } from './images.ts';
import { LONG_STRING } from './long-string.ts';
import { MISSING_PARENTS } from './missing-parents.ts';
import { RAG } from './rag.ts';
import { SCRIPTS } from './scripts.ts';
import type { Seed } from './seed.ts';
import { SKEW } from './skew.ts';
import { STREAMING } from './streaming.ts';
import { seedThread } from './thread.ts';

const DAY_TRACES = 2000;
const LONG_THREAD = 'thread-of-60';

/** Every seed by its name. */
export const SEEDS: Readonly<Record<string, Seed>> = {
  day: {
    about: 'a day of a support desk, 2,000 traces',
    write: async (reader, now) => {
      await seedDay(reader, { traces: DAY_TRACES, now });
      return 'calls';
    },
  },
  rag: RAG,
  thread: {
    about: 'a conversation of 60 turns, and some shorter ones',
    write: async (reader, now) => {
      await seedThread(reader, LONG_THREAD, now, 60);
      return `threads/${LONG_THREAD}`;
    },
  },
  streaming: STREAMING,
  images: {
    about: 'images in each form that records keep them in, and a sound',
    write: async (reader, now) => {
      await seedMedia(reader, now);
      return `trace/${MEDIA.traceId}?call=${MEDIA.call}`;
    },
  },
  scripts: SCRIPTS,
  hostile: HOSTILE,
  skew: SKEW,
  'missing-parents': MISSING_PARENTS,
  deep: DEEP,
  'long-string': LONG_STRING,
  '10k': CALLS_10K,
  '100k': CALLS_100K,
};
