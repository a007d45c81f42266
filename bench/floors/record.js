// Floor: the context, and a record of each call in an array.
import { createRecorder } from './recorder.js';

export async function open() {
  const records = [];
  const recorder = createRecorder({ end: (call) => records.push(call) });
  return { ...recorder, flush: async () => records.length };
}
