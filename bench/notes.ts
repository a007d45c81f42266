/**
 * What is known of a goal that is not reached: what a profile shows, what was tried, and what came of it, in sentences
 * that were measured. Written by hand, under the name that `nameOf` gives the goal, such as `small-async addedUs upsert-fast`;
 * the page shows a note as long as its goal is not reached.
 */
export const NOTES: Readonly<Record<string, string>> = {
  'tree addedUs upsert-fast':
    'rounds of 3.9 to 4.5 µs beside 2.9 to 3.1 of the floor; 1.2 of it on Node 20. A profile there, before records were made ' +
    'by classes and beside other work, gave joining texts and garbage collection 7 % each, writing to the socket 5 %, and ' +
    'nothing else of ours more than 3 %. One text for a record instead of pieces that are joined made no difference to small ' +
    'calls on Node 20: 4.5 to 4.9 µs in turns with 4.7 to 4.8.',
  'chat cpuUs upsert':
    'of 76 µs JSON.stringify takes 29, where the floor takes 26 for the same, and masking about 11; the floor masks nothing. ' +
    'Writing the JSON of texts without escapes by hand took 16 to 18 µs instead of 26 on Node 20, and nothing less on ' +
    'Node 24; it was not kept, as messages have line breaks. Records and lists that V8 does not make in old space gained ' +
    'nothing here: 62 to 66 µs in turns with 62 to 64 before, on Node 20 and a quiet machine.',
  'chat ownTurnUs json':
    'the copy takes 7.9 µs, less than the 9.1 on Node 20; but JSON.stringify, which it is compared with, takes 13.8 where it ' +
    'takes 24.6 on Node 20.',
  'generator addedUs upsert-fast':
    'a profile of 3,000 on Node 20 and a quiet machine: each chunk is copied and masked as it passes, 54 µs of 300, where the ' +
    'floor keeps the chunks themselves; the hooks of promises in Node take 105 µs where they take 44 in the floor. Without the ' +
    'promises of another class that an import makes, which those hooks see then, they take 92, and the generator 294, 292 ' +
    'and 305 µs in turns with 303, 291 and 312.',
  'burst callsPerSec upsert':
    'from Node 20 to 24 the floor gains 22 %, Spoor 6 %; 0.81 of it on Node 20. A profile on Node 24 and a quiet machine: garbage ' +
    'collection 17 %, joining texts 8 %, reading what went to disk meanwhile 5 %, the context of Node 4 %. Beyond 4 MiB that ' +
    'wait the caller encodes in his own turn (decision 0022), and beyond 64 MiB records go to disk; the floor bounds nothing.',
  'ingest loadedRssMb':
    'it is the young generation of V8, 134 MB of the main thread where Node 20 has 34. Started with ' +
    '`NODE_OPTIONS=--max-semi-space-size=16` the service takes 372 MB instead of 495 for a million calls, and as many calls per ' +
    'second (44,700 and 46,000). From within, `v8.setFlagsFromString` comes too late: 481 MB for 300,000 calls, 460 and 472 ' +
    'without it.',
  'import importMs':
    'parsing the recording half, 363 KB when this was looked at, takes 10 ms of it, in a process of its own. Without white ' +
    'space it takes 9.4, with short names besides 8.3: it is less code that would help, not shorter code.',
  'export growthMb':
    'the run before this one, of the same service, grew by 30 (19–42). Beside other work, memory was mostly 112 to 153 MB from ' +
    'the first second of an export to the last, with single peaks of 184 and 192: it does not grow with the export.',
};
