import type { NewObject } from '../contract/objects.ts';
import { type SharedText, shareText, textOf } from './shared-text.ts';

/** An object on its way between threads, of which the text may have megabytes. */
export interface PackedObject extends Omit<NewObject, 'val'> {
  readonly val: string | SharedText;
}

/** Parts of objects whose texts are in shared memory already. */
const packed = new WeakMap<NewObject, PackedObject>();

/** An object with a text that is a string as soon as somebody asks for it. */
export function objectWith(facts: Omit<NewObject, 'val'>, val: string | SharedText): NewObject {
  const object = {
    ...facts,
    get val() {
      return textOf(val);
    },
  };
  packed.set(object, { ...facts, val });
  return object;
}

export function packObject(object: NewObject): PackedObject {
  return packed.get(object) ?? { ...object, val: shareText(object.val) };
}

/** An object that came packed or as it is. */
export function objectOf({ val, ...facts }: PackedObject): NewObject {
  return { ...facts, val: textOf(val) };
}
