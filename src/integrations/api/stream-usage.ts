// docs/decisions/0020-tokens-of-streams-are-asked-for.md says why.
import { isObject, type ParsedObject } from '../../protocol/values/parsed-object.ts';
import { memberOf, textOf } from './json-object.ts';

/**
 * A streamed chat tells its tokens only to those who ask (`stream_options.include_usage`), with a chunk at the end and
 * an empty member in all others. Asks in the name of a program that has not said what it wants, and takes what comes of
 * it away again before the program sees it.
 */
export interface UsageQuestion {
  readonly args: readonly unknown[];
  /** The program wants the bytes as they come: nothing is asked, if the request was not made yet. */
  withdraw(): void;
  /** May the service have refused the question? Then the request is to be made again without it. */
  isRefusedBy(error: unknown): boolean;
  /** The service has answered the same request without the question. */
  remember(): void;
  /** A chunk as it would have come without the question; `undefined` for one that would not have come. */
  show(chunk: unknown): unknown;
}

/**
 * Base addresses with the models behind them that refuse the question: services that speak this API do not all know
 * the member, and what stands behind a gateway differs from model to model.
 */
const refusing = new Set<string>();
const MAX_REFUSING = 1000;

/** `undefined` where there is nothing to ask. */
export function askForUsage(baseUrl: string, args: readonly unknown[]): UsageQuestion | undefined {
  const [body, ...rest] = args;
  if (!isObject(body) || body['stream'] !== true) return undefined;
  const place = `${baseUrl} ${String(body['model'])}`;
  if (refusing.has(place)) return undefined;
  const { stream_options: own } = body;
  if (own !== undefined && own !== null && !isObject(own)) return undefined;
  if (isObject(own) && own['include_usage'] !== undefined) return undefined;
  let isWanted = true;
  let isSent = false;
  const asking = { ...body };
  Object.defineProperty(asking, 'stream_options', {
    get() {
      // Read when the text of the request is made, in a later turn.
      isSent = isWanted;
      return isWanted ? { ...own, include_usage: true } : own;
    },
    configurable: true,
    enumerable: true,
  });
  return {
    args: [asking, ...rest],
    withdraw() {
      if (!isSent) isWanted = false;
    },
    isRefusedBy(error) {
      if (!isSent || !mayBeAboutQuestion(error)) return false;
      isSent = false;
      return true;
    },
    remember() {
      if (refusing.size >= MAX_REFUSING) refusing.clear();
      refusing.add(place);
    },
    show: (chunk) => (isSent && isObject(chunk) ? withoutUsage(chunk) : chunk),
  };
}

const NAMES = /stream_options|include_usage/;

/** Of a member that stays without its name. */
const STRANGE = /extra|unknown|unexpected|unrecogni[sz]ed|unsupported|additional|not (?:permitted|allowed|supported)/i;

/**
 * Where the service does not say what is wrong, it may be the question: a request too many is better than a program that
 * fails for what it has not written.
 */
function mayBeAboutQuestion(error: unknown): boolean {
  if (!isObject(error) || (error['status'] !== 400 && error['status'] !== 422)) return false;
  // The library keeps this member of the answer only.
  const { error: told } = error;
  if (!isObject(told)) return true;
  const text = JSON.stringify(told);
  return NAMES.test(text) || (textOf(told['param']) === undefined && STRANGE.test(text));
}

function withoutUsage(chunk: ParsedObject): ParsedObject | undefined {
  const { choices } = chunk;
  if (memberOf(chunk, 'usage') !== undefined) {
    return Array.isArray(choices) && choices.length === 0 ? undefined : chunk;
  }
  if (chunk['usage'] === null) delete chunk['usage'];
  return chunk;
}
