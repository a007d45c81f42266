import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import { type Fold, IndexedParts, mergePiece } from '../api/fold.ts';
import { memberOf, objectsIn } from '../api/json-object.ts';

/** Chunks of a response to the response as a whole: texts, thoughts and arguments of functions grow piece by piece. */
export function foldContent(): Fold {
  const whole: ParsedObject = {};
  const candidates = new IndexedParts();
  return {
    add(chunk) {
      if (!isObject(chunk)) return;
      const { candidates: pieces, sdkHttpResponse: _headers, ...rest } = chunk;
      Object.assign(whole, rest);
      for (const piece of objectsIn(pieces)) addToCandidate(candidates.of(piece), piece);
    },
    value: () => ({ ...whole, candidates: candidates.inOrder() }),
  };
}

/** Of a response, what the model said: its class adds nothing, and the headers tell of the way only. */
export function withoutHeaders(response: unknown): unknown {
  if (!isObject(response)) return response;
  const { sdkHttpResponse: _headers, ...rest } = response;
  return rest;
}

function addToCandidate(candidate: ParsedObject, piece: ParsedObject): void {
  const { content, logprobsResult, ...rest } = piece;
  Object.assign(candidate, rest);
  if (isObject(logprobsResult)) mergePiece(candidate, { logprobsResult });
  if (!isObject(content)) return;
  const { parts, ...others } = content;
  const before = memberOf(candidate, 'content');
  const known = objectsIn(before?.['parts']);
  for (const part of objectsIn(parts)) addPart(known, part);
  candidate['content'] = { ...before, ...others, parts: known };
}

function addPart(parts: ParsedObject[], part: ParsedObject): void {
  // The chunk that ends a stream says nothing more.
  if (isTextAlone(part) && part['text'] === '') return;
  const last = parts.at(-1);
  const openCall = openCallOf(last);
  const call = memberOf(part, 'functionCall');
  if (openCall !== undefined && call !== undefined && call['name'] === undefined) addToCall(openCall, call);
  else if (last !== undefined && isTextAlone(last) && isTextAlone(part) && last['thought'] === part['thought']) {
    mergePiece(last, { text: part['text'] });
  } else {
    const copy = {};
    mergePiece(copy, part);
    parts.push(copy);
  }
}

/** A signature and the like hold for the part that they came with. */
function isTextAlone(part: ParsedObject): boolean {
  return typeof part['text'] === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}

function openCallOf(part: ParsedObject | undefined): ParsedObject | undefined {
  const call = memberOf(part, 'functionCall');
  return call?.['willContinue'] === true ? call : undefined;
}

/** On Vertex, arguments may come in parts, each with the path of the value that it belongs to. */
function addToCall(call: ParsedObject, piece: ParsedObject): void {
  const { partialArgs, willContinue, ...rest } = piece;
  mergePiece(call, rest);
  const known = objectsIn(call['partialArgs']);
  for (const part of objectsIn(partialArgs)) {
    const last = known.at(-1);
    const isMore = last?.['willContinue'] === true && last['jsonPath'] === part['jsonPath'];
    if (!isMore) known.push({ ...part });
    else Object.assign(last, part, { stringValue: `${String(last['stringValue'])}${String(part['stringValue'])}` });
    if (isMore && part['willContinue'] !== true) delete last['willContinue'];
  }
  if (known.length > 0) call['partialArgs'] = known;
  if (willContinue !== true) delete call['willContinue'];
}
