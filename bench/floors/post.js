// Floor: the smallest record of a call that can be read again, posted in batches.
import { createPoster } from './poster.js';
import { createRecorder } from './recorder.js';

export async function open({ url }) {
  const poster = createPoster({ url, path: '/floor', bodyOf: (calls) => JSON.stringify(calls) });
  return { ...createRecorder({ end: poster.push }), flush: poster.flush };
}
