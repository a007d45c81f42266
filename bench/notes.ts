/**
 * What is known of a goal that is not reached: what a profile shows, what was tried, and what came of it, in sentences
 * that were measured. Written by hand, under the name that `nameOf` gives the goal, such as `small-async addedUs upsert-fast`;
 * the page shows a note as long as its goal is not reached.
 */
export const NOTES: Readonly<Record<string, string>> = {
  'small-async addedUs upsert-fast':
    'a profile of 200,000 calls has no place above a fifteenth but garbage collection (18 %) and joining texts (7 %); the ' +
    'rest is spread over the copy, masking, ids and the context. 100,000 calls in a process alone added 5.2 µs where the ' +
    'floor added 3.6.',
  'small-async cpuUs upsert-fast':
    'as above. Undici took a tenth more: its WebAssembly is compiled in the background (6.5 µs with it, 5.8 without).',
  'tree addedUs upsert-fast':
    'beside other work, a profile gives joining texts and garbage collection 7 % each and writing to the socket 5 %; nothing ' +
    'else of ours is above 3 %. There, in turns with the floor, it was 1.45 of it.',
  'small-sync addedUs upsert-fast':
    'beside other work, a profile gave joining texts, counting their bytes and writing them about a fifth, garbage collection ' +
    '8 % and the search for secrets 3 %. Since this run full batches are not copied, and bytes are counted only where they ' +
    'might not fit: CPU in turns with the code before, 6.1 to 5.7 and 5.6 to 5.2 µs.',
  'chat cpuUs upsert':
    'of 76 µs JSON.stringify takes 29, where the floor takes 26 for the same, and masking about 11; the floor masks nothing. ' +
    'Writing the JSON of texts without escapes by hand took 16 to 18 µs instead of 26 on Node 20, and nothing less on ' +
    'Node 24; it was not kept, as messages have line breaks.',
  'generator addedUs upsert-fast':
    'each chunk is copied and masked as it passes, which takes 77 µs of 200; the floor keeps the chunks themselves. ' +
    'JSON takes 63 µs, and garbage collection 0.12 ms where it takes 0.07 in the floor.',
  'import importMs':
    'parsing the 363 KB of the recording half takes 10 ms of it, in a process of its own. Without white space it takes ' +
    '9.4, with short names besides 8.3: it is less code that would help, not shorter code.',
  'delivered lost':
    'one round of two. 200,000 calls without a pause are 370 MB, more than memory and disk may hold before the service has ' +
    'stored them; the rest is dropped, and counted. Since this run memory is used up before anything on disk is given up.',
};
