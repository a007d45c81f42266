const [VARINT, FIXED_64, BYTES, FIXED_32] = [0, 1, 2, 5];
/** `resource_spans` of a request, `scope_spans` of that, `spans` of that, `span_id` of that. */
const PATH = [1, 2, 2, 2];

/** Ids of the spans in an OTLP request, as hexadecimal text. */
export function spanIdsOf(message) {
  const ids = [];
  collect(message, 0, message.length, 0, ids);
  return ids;
}

function collect(message, from, end, depth, ids) {
  for (let at = from; at < end;) {
    const [key, afterKey] = readVarint(message, at);
    const [start, next] = extentOf(message, key & 7, afterKey);
    at = next;
    if (key >>> 3 !== PATH[depth]) continue;
    if (depth === PATH.length - 1) ids.push(message.toString('hex', start, next));
    else collect(message, start, next, depth + 1, ids);
  }
}

/** Where the content of a field begins, and where it ends. */
function extentOf(message, wireType, at) {
  if (wireType === VARINT) return [at, readVarint(message, at)[1]];
  if (wireType === FIXED_64) return [at, at + 8];
  if (wireType === FIXED_32) return [at, at + 4];
  if (wireType !== BYTES) throw new RangeError(`Cannot read a field of wire type ${wireType}`);
  const [length, start] = readVarint(message, at);
  return [start, start + length];
}

/** Lengths and keys are far below 2 to the 53, so numbers do. */
function readVarint(message, at) {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = message[at++];
    value += (byte & 127) * factor;
    if (byte < 128) return [value, at];
  }
}
