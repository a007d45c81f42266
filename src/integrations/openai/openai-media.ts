import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import type { Fold } from '../api/fold.ts';

/** Events of a picture that is drawn before the program's eyes: only the finished ones are recorded. */
export function foldImages(): Fold {
  const finished: ParsedObject[] = [];
  let last: unknown;
  return {
    add(event) {
      if (isObject(event) && String(event['type']).endsWith('.completed')) finished.push(event);
      else last = isObject(event) ? event : last;
    },
    value: () => (finished.length > 1 ? { data: finished, usage: finished.at(-1)?.['usage'] } : (finished[0] ?? last)),
  };
}

/** Events of a transcription. */
export function foldTranscript(): Fold {
  const segments: unknown[] = [];
  let text = '';
  let done: ParsedObject | undefined;
  return {
    add(event) {
      if (!isObject(event)) return;
      const { type, delta } = event;
      if (type === 'transcript.text.done') done = event;
      else if (type === 'transcript.text.segment') segments.push(event);
      else if (typeof delta === 'string') text += delta;
    },
    value: () => ({ ...(done ?? { text }), ...(segments.length > 0 && { segments }) }),
  };
}
