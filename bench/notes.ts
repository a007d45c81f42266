/**
 * What is known of a goal that is not reached: what a profile shows, what was tried, and what came of it, in sentences
 * that were measured. Written by hand, under the name that `nameOf` gives the goal, such as `small-async addedUs upsert-fast`;
 * the page shows a note as long as its goal is not reached.
 */
export const NOTES: Readonly<Record<string, string>> = {
  'chat cpuUs upsert':
    'of 76 µs JSON.stringify takes 29, where the floor takes 26 for the same, and masking about 11; the floor masks nothing. ' +
    'Writing the JSON of texts without escapes by hand took 16 to 18 µs instead of 26 on Node 20, and nothing less on ' +
    'Node 24; it was not kept, as messages have line breaks. Records and lists that V8 does not make in old space gained ' +
    'nothing here: 62 to 66 µs in turns with 62 to 64 before, on Node 20 and a quiet machine.',
  'generator addedUs upsert-fast':
    'a profile of 3,000 on Node 20 and a quiet machine: each chunk is copied and masked as it passes, 54 µs of 300, where the ' +
    'floor keeps the chunks themselves; the hooks of promises in Node take 105 µs where they take 44 in the floor. Without the ' +
    'promises of another class that an import makes, which those hooks see then, they take 92, and the generator 294, 292 ' +
    'and 305 µs in turns with 303, 291 and 312.',
  'import importMs':
    'parsing the recording half, 363 KB when this was looked at, takes 10 ms of it, in a process of its own. Without white ' +
    'space it takes 9.4, with short names besides 8.3: it is less code that would help, not shorter code.',
  'export growthMb':
    'the run before this one, of the same service, grew by 30 (19–42). Beside other work, memory was mostly 112 to 153 MB from ' +
    'the first second of an export to the last, with single peaks of 184 and 192: it does not grow with the export.',
};
