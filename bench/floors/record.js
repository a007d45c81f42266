// Floor: the context, and a record of each call in an array, which is thrown away when it has a thousand.
import { createRecorder } from './recorder.js';

const KEPT = 1000;

export async function open() {
  let records = [];
  const recorder = createRecorder({
    end(call) {
      records.push(call);
      if (records.length === KEPT) records = [];
    },
  });
  return { ...recorder, flush: async () => records.length };
}
