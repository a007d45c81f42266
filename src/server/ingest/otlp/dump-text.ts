import { canonicalLength, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { stringifyJson } from '../../../protocol/values/json.ts';
import { asJsonObject, type JsonObject } from '../../../protocol/values/json-object.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { Translator } from '../../../protocol/spelling/translator.ts';
import type { Span } from '../../../protocol/span/span.ts';
import { dumpOf, dumpOfEvent, dumpOfLink } from '../../../protocol/span/span-dump.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import { EXCEEDS_LIMITS_TEXT, isDeeperThan, toDump } from '../calls/body-fields.ts';

/** Of so many events and links together the texts are made at once. */
const FEW = 1000;

export interface DumpContext {
  /** Attributes of the resource. */
  readonly resource: JsonObject;
  /** Of the attributes of the span. */
  readonly tree: JsonObject | undefined;
  readonly translator: Translator | undefined;
  readonly limits: Limits;
}

/** The text of a span as it was sent, but for references in it; a placeholder for one that is too large or too deep. */
export function dumpText(span: Span, context: DumpContext): JsonText {
  if (span.events.length + span.links.length > FEW) return textInPieces(span, context) ?? EXCEEDS_LIMITS_TEXT;
  const { resource, tree, translator, limits } = context;
  const dump = dumpOf(span, resource, tree);
  return toDump(translator ? translator.value(dump) : dump, Infinity, limits);
}

/** Of no more than a piece there are values, which take many times the room of their text. */
function textInPieces(span: Span, { resource, tree, translator, limits }: DumpContext): JsonText | undefined {
  const translate = translator?.value ?? ((value: JsonValue) => value);
  const around = asJsonObject(translate(dumpOf({ ...span, events: [], links: [] }, resource, tree)));
  const list = new ItemTexts(limits.json_depth - LEVELS_AROUND, limits.call_bytes - canonicalLength(around));
  const events = list.textOf(span.events, (event) => translate(dumpOfEvent(event)));
  const links = events === undefined ? undefined : list.textOf(span.links, (link) => translate(dumpOfLink(link)));
  if (events === undefined || links === undefined || isDeeperThan(around, limits.json_depth)) return undefined;
  const lists: Readonly<Record<string, string>> = { events, links };
  const members = Object.entries(around).map(([key, value]) => `"${key}":${lists[key] ?? stringifyJson(value)}`);
  return `{${members.join(',')}}`;
}

/** Of the dump and of the list. */
const LEVELS_AROUND = 2;

/** Makes texts of lists as long as there is room for their canonical text. */
class ItemTexts {
  readonly #maxDepth: number;
  #room: number;

  constructor(maxDepth: number, room: number) {
    this.#maxDepth = maxDepth;
    this.#room = room;
  }

  /** `undefined` where an item is too deep, or there is no more room. */
  textOf<Item>(items: readonly Item[], make: (item: Item) => JsonValue): string | undefined {
    const pieces: string[] = [];
    // The brackets of an empty list have been counted.
    if (items.length > 0) this.#room += 2;
    for (let start = 0; start < items.length && this.#room >= 0; start += FEW) {
      const made = items.slice(start, start + FEW).map(make);
      if (made.some((value) => isDeeperThan(value, this.#maxDepth))) return undefined;
      // Brackets take as much as the `, ` behind it.
      this.#room -= canonicalLength(made);
      pieces.push(stringifyJson(made).slice(1, -1));
    }
    return this.#room < 0 ? undefined : `[${pieces.join(',')}]`;
  }
}
