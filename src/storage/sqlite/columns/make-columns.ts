import { parseJson } from '../../../protocol/values/json.ts';
import type { ModelUsage } from '../../contract/overviews.ts';
import { exceptionTypeOf, firstChunkOf } from '../../values/overviews/call-outline.ts';
import { cutText } from '../../values/overviews/call-preview.ts';
import { mainModelOf, TOKEN_KINDS, usagesOf } from '../../values/overviews/call-usage.ts';
import type { DatabaseSync } from '../driver.ts';
import {
  emptyColumns,
  forTexts,
  HAS_CHILD_ERRORS,
  IS_ERROR,
  IS_KIND_TEXT,
  IS_ROOT,
  PLACE_MASK,
  type SegmentColumns,
  TEXT_NAMES,
  type TextName,
  UNKNOWN_PARENT,
  type UsageSource,
} from './segment-columns.ts';
import { type SegmentRow, segmentRows } from './segment-rows.ts';

/** Reads the columns of a segment from its calls. */
export function makeColumns(database: DatabaseSync, number: number): SegmentColumns {
  const maker = new ColumnMaker();
  for (const row of segmentRows(database, number)) maker.add(row);
  return maker.finish();
}

/** Places in a list of texts, each once; 0 for none. */
class TextList {
  readonly list: (string | null)[] = [null];
  readonly #places = new Map<string, number>();

  placeOf(text: string | null): number {
    if (text === null) return 0;
    const cut = cutText(text);
    const known = this.#places.get(cut);
    if (known !== undefined) return known;
    this.#places.set(cut, this.list.length);
    return this.list.push(cut) - 1;
  }
}

class ColumnMaker {
  readonly #columns = emptyColumns();
  readonly #lists = forTexts(() => new TextList());
  readonly #sources: UsageSource[] = [];
  readonly #sourcePlaces = new Map<string, number>();
  readonly #usagePlaces: number[] = [];
  readonly #usageSources: number[] = [];
  readonly #usageTokens: number[] = [];
  readonly #chunkPlaces: number[] = [];
  readonly #chunkMs: number[] = [];

  add(row: SegmentRow): void {
    const [key, project, startedAt, endedAt, , , isRoot, parent, op, thread, user, run, kind, userAttribute] = row;
    const place = key & PLACE_MASK;
    const columns = this.#columns;
    columns.projects[place] = project;
    columns.startedAt[place] = startedAt;
    columns.endedAt[place] = endedAt ?? Number.NaN;
    columns.parents[place] = isRoot === 1 ? 0 : (parent ?? UNKNOWN_PARENT);
    columns.flags[place] = flagsOf(row);
    const summary = row[16] === null ? null : parseJson(row[16]);
    const usages = usagesOf(row[15] === null ? null : parseJson(row[15]), summary);
    const texts: Readonly<Record<TextName, string | null>> = {
      thread,
      user,
      run,
      kind: valueText(kind),
      userAttribute: valueText(userAttribute),
      model: mainModelOf(usages),
      exceptionType: exceptionTypeOf(row[14]),
      op,
      process: row[17],
    };
    for (const name of TEXT_NAMES) columns.texts[name][place] = this.#lists[name].placeOf(texts[name]);
    for (const usage of usages) this.#addUsage(place, usage);
    this.#addChunk(place, firstChunkOf(summary));
  }

  finish(): SegmentColumns {
    return {
      ...this.#columns,
      lists: forTexts((name) => this.#lists[name].list),
      sources: this.#sources,
      usagePlaces: Uint16Array.from(this.#usagePlaces),
      usageSources: Uint32Array.from(this.#usageSources),
      usageTokens: Float64Array.from(this.#usageTokens),
      chunkPlaces: Uint16Array.from(this.#chunkPlaces),
      chunkMs: Float64Array.from(this.#chunkMs),
    };
  }

  #addChunk(place: number, ms: number | null): void {
    if (ms === null) return;
    this.#chunkPlaces.push(place);
    this.#chunkMs.push(ms);
  }

  #addUsage(place: number, { model, provider, host, tokens }: ModelUsage): void {
    const key = JSON.stringify([model, provider, host]);
    const source = this.#sourcePlaces.get(key) ?? this.#sources.push({ model, provider, host }) - 1;
    this.#sourcePlaces.set(key, source);
    this.#usagePlaces.push(place);
    this.#usageSources.push(source);
    for (const kind of TOKEN_KINDS) this.#usageTokens.push(tokens[kind]);
  }
}

function flagsOf([, , , , isError, hasChildErrors, isRoot, , , , , , kind]: SegmentRow): number {
  const error = isError === 1 ? IS_ERROR : 0;
  const childErrors = hasChildErrors === 1 ? HAS_CHILD_ERRORS : 0;
  return error | childErrors | (isRoot === 1 ? IS_ROOT : 0) | (isText(kind) ? IS_KIND_TEXT : 0);
}

/** As `facetValue` gives it: texts as they are, all else as the JSON that it is. */
function valueText(json: string | null): string | null {
  if (json === null || json === 'null') return null;
  return isText(json) ? (JSON.parse(json) as string) : json;
}

function isText(json: string | null): json is string {
  return json?.startsWith('"') === true;
}
