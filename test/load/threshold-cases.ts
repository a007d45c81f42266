import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { type BodyShape, surveyAtOnce } from '../../src/server/http/body/body-survey.ts';
import { isLarge } from '../../src/server/ingest/large/large-bodies.ts';
import { memoryAllowance } from '../../src/server/http/body/request-body.ts';
import type { PostName } from '../../src/server/routes/route.ts';
import {
  type BodyCase,
  bodyWith,
  fullLists,
  headersOf,
  MAX_ITEMS,
  pathOf,
  type Place,
  placesOf,
  requestSchemas,
} from './body-cases.ts';
import { type Filling, VALUES } from './fillings.ts';

/** Bodies that are as large as they can be without being treated in another way, each a little below a threshold. */
const THRESHOLDS: Readonly<Record<string, (bytes: Buffer, shape: BodyShape, name: PostName) => boolean>> = {
  'below the thread': (bytes, shape, name) => !isLarge(name, bytes, shape),
  'below a refusal': ({ length }, { memoryBytes, depth }) =>
    memoryBytes <= memoryAllowance(length, DEFAULT_LIMITS) && depth <= DEFAULT_LIMITS.body_depth,
};

/** Bytes of the value in each place that takes one, where they are limited. */
const VALUE_BYTES: Partial<Record<PostName, number>> = {
  callStart: DEFAULT_LIMITS.call_bytes,
  callEnd: DEFAULT_LIMITS.call_bytes,
  callUpsertBatch: DEFAULT_LIMITS.call_bytes,
  callsComplete: DEFAULT_LIMITS.call_bytes,
  objCreate: DEFAULT_LIMITS.object_bytes,
  tableCreate: DEFAULT_LIMITS.row_bytes,
  tableUpdate: DEFAULT_LIMITS.row_bytes,
  feedbackCreate: DEFAULT_LIMITS.feedback_payload_bytes,
  feedbackReplace: DEFAULT_LIMITS.feedback_payload_bytes,
  feedbackBatchCreate: DEFAULT_LIMITS.feedback_payload_bytes,
};

/** A part of the room that is left, so that what surrounds a value and what is rounded fits in. */
const NEARLY = 0.985;

/** One endpoint of each kind gets all values: what is done with them differs by their kind, not by their endpoint. */
const WITH_ALL: readonly PostName[] = [
  'callStart',
  'objCreate',
  'tableCreate',
  'feedbackCreate',
  'callsStreamQuery',
  'otelExportTraces',
];
const BRIEF = ['empty objects', 'keys', 'numbers', 'numbers of another class', 'texts', '400 levels'];

/** The cases at the thresholds, of each kind of value in the first place of an endpoint that takes one. */
export function thresholdCases(): BodyCase[] {
  return requestSchemas().flatMap(([name, schema]) => {
    const places: Place[] = [];
    const lists: Place[] = [];
    placesOf(schema, [], (place, kind) => {
      if (kind === 'value') places.push(place);
      if (kind === 'list' && MAX_ITEMS[name] !== undefined) lists.push(place);
    });
    const place = places[0] ?? ['unknown'];
    const values = WITH_ALL.includes(name) ? VALUES : VALUES.filter(([kind]) => BRIEF.includes(kind));
    return [
      ...values.flatMap(([kind, filling]) =>
        casesOf(name, kind, `as ${place.join('.')}`, bodyWith(name, place, filling)),
      ),
      ...lists.flatMap((at) => [
        ...casesOf(name, 'small items', `as ${at.join('.')}`, smallItems(name, at)),
        ...casesOf(name, 'right items', `as ${at.join('.')}`, fullLists(name, at)),
      ]),
    ];
  });
}

function casesOf(endpoint: PostName, kind: string, where: string, make: Filling): BodyCase[] {
  const path = pathOf(endpoint);
  const headers = headersOf(endpoint);
  const below = Object.entries(THRESHOLDS).map(([threshold, isBelow]) => ({
    endpoint,
    path,
    headers,
    name: `${kind} ${where} ${threshold}`,
    kind: `${kind} ${threshold}`,
    make: (bytes: number) => largestBelow(make, (body, shape) => isBelow(body, shape, endpoint), bytes),
  }));
  const value = VALUE_BYTES[endpoint];
  if (value === undefined) return below;
  const atItsLimit = (bytes: number) => {
    const body = make(Math.min(bytes, value) * NEARLY);
    return THRESHOLDS['below a refusal']?.(body, surveyAtOnce(body), endpoint) ? body : undefined;
  };
  return [
    ...below,
    {
      endpoint,
      path,
      headers,
      name: `${kind} ${where} below its own limit`,
      kind: `${kind} below its own limit`,
      make: atItsLimit,
    },
  ];
}

/** As many items as fit in, with next to nothing in them. */
function smallItems(name: PostName, place: Place): Filling {
  const one = fullLists(name, place, { count: 100 })(0).length / 100;
  return (bytes) =>
    fullLists(name, place, { count: Math.max(1, Math.min(MAX_ITEMS[name] ?? 1, Math.floor(bytes / one))) })(0);
}

/** What is counted of a body grows with its size. `undefined`: everything up to `max` is below, which others send. */
function largestBelow(
  make: Filling,
  isBelow: (bytes: Buffer, shape: BodyShape) => boolean,
  max: number,
): Buffer | undefined {
  const fits = (size: number) => {
    const body = make(size);
    return isBelow(body, surveyAtOnce(body)) ? body : undefined;
  };
  let low = 0;
  let high = FIRST_BYTES;
  let best: Buffer | undefined;
  while (high < max) {
    const body = fits(high);
    if (body === undefined) break;
    best = body;
    low = high;
    high *= 2;
  }
  if (high >= max && fits(max)) return undefined;
  high = Math.min(high, max);
  while (high - low > high * PRECISION) {
    const middle = Math.floor((low + high) / 2);
    const body = fits(middle);
    if (body === undefined) high = middle;
    else [low, best] = [middle, body];
  }
  return best;
}

/** Where the search for a size begins, and how near to the threshold it ends. */
const FIRST_BYTES = 64 * 1024;
const PRECISION = 0.02;
