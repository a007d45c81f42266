import { recordsOf, writeRecords } from './plan.ts';
import type { Seed } from './seed.ts';

const TRACE = '019a000000007000800000000000000a';
const LINE = 'The kettle was filled, closed, switched on and taken from its base again.\n';
const STORED_CHARACTERS = 20 * 1024 * 1024;
/** Nearly what a service takes inside of a record. */
const INLINE_CHARACTERS = 12 * 1024 * 1024;
const PREVIEW_CHARACTERS = 2000;

/** Texts that no page can show as a whole: one in a file, as the library stores it, and one inside of the record. */
export const LONG_STRING: Seed = {
  about: 'a string of 20 MB in a file, and one of 12 MB inside of its record',
  write: async (reader, now) => {
    const text = LINE.repeat(Math.ceil(STORED_CHARACTERS / LINE.length)).slice(0, STORED_CHARACTERS);
    const digest = await reader.files.create({ name: 'obj.txt', bytes: text });
    const stored = {
      _type: 'CustomType',
      svc_type: { type: 'str' },
      files: { 'obj.txt': digest },
      name: 'transcript.txt',
      media_type: 'text/plain',
      size: text.length,
      characters: text.length,
      preview: text.slice(0, PREVIEW_CHARACTERS),
    };
    const usual = { kind: 'tool', fromMs: 10, ms: 400 };
    const read = { ...usual, op: 'read_transcript', inputs: { file: 'transcript.txt' }, output: stored };
    const inline = { ...usual, op: 'join_lines', inputs: { lines: 2 }, output: text.slice(0, INLINE_CHARACTERS) };
    const root = { ...usual, op: 'summarise', inputs: {}, output: null, fromMs: 0, ms: 900, calls: [read, inline] };
    await writeRecords(reader, recordsOf(root, now - 4000, { traceId: TRACE }));
    return `trace/${TRACE}`;
  },
};
