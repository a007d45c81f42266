import { canonicalLength } from '../../../protocol/values/canonical-json.ts';
import type { JsonObject } from '../../../protocol/values/json-object.ts';
import { EXCEEDS_LIMITS } from '../calls/body-fields.ts';

/** Canonical bytes of resources in the dumps of one export: a thousand spans below the largest that are usual. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * The resources of an export as the dumps of their spans repeat them: a body names each once, and has room for 400,000
 * spans below it. Spans behind the limit have a placeholder in its place.
 */
export class RepeatedResources {
  #room: number;
  /** Spans whose resource was left out. */
  left = 0;

  constructor(bytes = MAX_BYTES) {
    this.#room = bytes;
  }

  /** Gives the attributes of a resource, once for each span. */
  of(tree: JsonObject): () => JsonObject {
    const bytes = canonicalLength(tree);
    return () => {
      if (bytes > this.#room) {
        this.left += 1;
        return EXCEEDS_LIMITS;
      }
      this.#room -= bytes;
      return tree;
    };
  }
}
