import { canonicalJson, canonicalLength, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { eachCanonicalPiece } from '../../../protocol/values/canonical-pieces.ts';
import { digestBytes, startHash, toDigestText } from '../../../protocol/values/digest.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { ObjCreateRequest } from '../../../protocol/object.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { isDeeperThan } from '../calls/body-fields.ts';
import { type IngestContext, writerOf } from '../calls/call-facts.ts';
import { checkObjectId } from '../../http/body/check-id.ts';
import { checkDigest } from './check-digest.ts';
import { isLongerThan } from '../calls/cut-text.ts';
import { objectWith } from '../../../storage/packed/packed-object.ts';
import type { SharedText } from '../../../storage/packed/shared-text.ts';
import { checkFilePaths, classifyValue, isOpValue } from './object-class.ts';
import type { WriteStores } from '../write-stores.ts';

/** Stores a version of an object or op and returns its digest. */
export async function createObject(
  objects: WriteStores['objects'],
  { obj }: ObjCreateRequest,
  context: IngestContext,
): Promise<string> {
  checkProject(context.caller, obj.project_id);
  checkNewName(obj.object_id, context.limits.object_id_characters);
  checkValueDepth(obj.val, context);
  checkFilePaths(obj.val);
  const { val, base, leaf } = classifyValue(obj.val, obj.builtin_object_class ?? obj.set_base_object_class ?? null);
  const { text, digest } = canonicalText(val, context.limits.object_bytes);
  checkDigest(obj.expected_digest, digest);
  const facts = {
    project_id: obj.project_id,
    object_id: obj.object_id,
    kind: isOpValue(val) ? 'op' : 'object',
    digest,
    base_object_class: base,
    leaf_object_class: leaf,
    svc_user_id: writerOf(obj, context.caller),
    created_at: Date.now() * 1000,
  } as const;
  await objects.create(objectWith(facts, text));
  return digest;
}

/** Names that are there already are read and deleted whatever limit there is now. */
function checkNewName(name: string, maxCharacters: number): void {
  checkObjectId(name);
  if (!isLongerThan(name, maxCharacters)) return;
  throw new TracingError(
    'invalid_object_id',
    `Cannot use object_id ${JSON.stringify(name)}: want at most ${maxCharacters} characters`,
  );
}

function checkValueDepth(val: unknown, { depth, limits }: IngestContext): void {
  if (depth <= limits.json_depth || !isDeeperThan(val, limits.json_depth)) return;
  throw new TracingError('payload_too_large', `Cannot create the object: more than ${limits.json_depth} levels`);
}

/** Longer texts are made in the memory that they go to the storage in. */
const MAX_STRING = 1024 * 1024;

interface CanonicalText {
  readonly text: string | SharedText;
  readonly digest: string;
}

function canonicalText(val: unknown, maxBytes: number): CanonicalText {
  // The value was parsed from JSON, and what was added to it are texts.
  const value = val as JsonValue;
  const length = canonicalLength(value);
  if (length > maxBytes) {
    throw new TracingError('payload_too_large', `Cannot create the object: more than ${maxBytes} bytes`);
  }
  if (length > MAX_STRING) return sharedCanonicalText(value, length);
  const text = canonicalJson(value);
  return { text, digest: digestBytes(text) };
}

/** Each character is a byte. */
function sharedCanonicalText(value: JsonValue, length: number): CanonicalText {
  const bytes = Buffer.from(new SharedArrayBuffer(length));
  const hash = startHash();
  let written = 0;
  eachCanonicalPiece(value, (piece) => {
    hash.update(piece);
    written += bytes.write(piece, written, 'latin1');
  });
  return { text: { bytes: new Uint8Array(bytes.buffer), isWide: false, length }, digest: toDigestText(hash) };
}
