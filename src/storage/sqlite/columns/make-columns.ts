import { parseJson } from '../../../protocol/values/json.ts';
import type { ModelUsage } from '../../contract/overviews.ts';
import { exceptionTypeOf } from '../../values/overviews/call-outline.ts';
import { cutText, MAX_LOOKED_AT } from '../../values/overviews/call-preview.ts';
import { mainModelOf, TOKEN_KINDS, usagesOf } from '../../values/overviews/call-usage.ts';
import type { DatabaseSync, Row } from '../driver.ts';
import { iterate } from '../read/iterate.ts';
import { shortAttributes, shortSummary } from '../read/short-bodies.ts';
import { numberOf, textOf, textOfBlob, wholeText } from '../read/text.ts';
import {
  emptyColumns,
  forTexts,
  HAS_CHILD_ERRORS,
  IS_ERROR,
  IS_ROOT,
  PLACE_MASK,
  SEGMENT_CALLS,
  type SegmentColumns,
  TEXT_NAMES,
  type TextName,
  UNKNOWN_PARENT,
  type UsageSource,
} from './segment-columns.ts';

/** Reads the columns of a segment from its calls. */
export function makeColumns(database: DatabaseSync, number: number): SegmentColumns {
  const first = number * SEGMENT_CALLS;
  const maker = new ColumnMaker();
  for (const row of iterate(database.prepare(ROWS), first, first + SEGMENT_CALLS - 1)) maker.add(row);
  return maker.finish();
}

/** What `attributeOf` reads. */
function attributeColumns(name: 'kind' | 'user'): string {
  const path = `'$.${name}'`;
  return `CAST(s.attributes ->> ${path} AS BLOB) AS ${name}_text, json_type(s.attributes, ${path}) AS ${name}_type,
  s.attributes -> ${path} AS ${name}_token`;
}

const ROWS = `SELECT c.pk, c.project, c.started_at, c.ended_at, c.exception IS NOT NULL AS is_error,
  c.has_child_errors, c.parent_id IS NULL AS is_root, p.pk AS parent, ${wholeText('o.name')} AS op,
  ${wholeText('c.thread_id')} AS thread, ${wholeText('c.user')} AS user, ${wholeText('c.run')} AS run,
  ${attributeColumns('kind')}, ${attributeColumns('user')},
  substr(${wholeText('c.exception')}, 1, ${4 * MAX_LOOKED_AT}) AS exception,
  CASE WHEN instr(e.summary, '"usage"') THEN ${shortAttributes} END AS attributes,
  CASE WHEN instr(e.summary, '"usage"') THEN ${shortSummary} END AS summary
FROM calls c JOIN op o ON o.pk = c.op JOIN body_start s ON s.pk = c.pk LEFT JOIN body_end e ON e.pk = c.pk
LEFT JOIN calls p ON p.project = c.project AND p.id = c.parent_id AND p.started_at IS NOT NULL
WHERE c.pk BETWEEN ? AND ? AND c.project > 0 AND c.started_at IS NOT NULL AND spoor_go_on(c.pk)`;

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
  readonly #columns = emptyColumns(0);
  readonly #lists = forTexts(() => new TextList());
  readonly #sources: UsageSource[] = [];
  readonly #sourcePlaces = new Map<string, number>();
  readonly #usagePlaces: number[] = [];
  readonly #usageSources: number[] = [];
  readonly #usageTokens: number[] = [];

  add(row: Row): void {
    const place = (numberOf(row['pk']) ?? 0) & PLACE_MASK;
    const columns = this.#columns;
    columns.projects[place] = numberOf(row['project']) ?? 0;
    columns.startedAt[place] = numberOf(row['started_at']) ?? 0;
    columns.endedAt[place] = numberOf(row['ended_at']) ?? Number.NaN;
    columns.parents[place] = row['is_root'] === 1 ? 0 : (numberOf(row['parent']) ?? UNKNOWN_PARENT);
    columns.flags[place] = flagsOf(row);
    const usages = usagesOfRow(row);
    const texts: Readonly<Record<TextName, string | null>> = {
      thread: textOfBlob(row['thread']),
      user: textOfBlob(row['user']),
      run: textOfBlob(row['run']),
      kind: attributeOf(row, 'kind'),
      userAttribute: attributeOf(row, 'user'),
      model: mainModelOf(usages),
      exceptionType: exceptionTypeOf(textOfBlob(row['exception'])),
      op: textOfBlob(row['op']),
    };
    for (const name of TEXT_NAMES) columns.texts[name][place] = this.#lists[name].placeOf(texts[name]);
    for (const usage of usages) this.#addUsage(place, usage);
  }

  finish(): SegmentColumns {
    return {
      ...this.#columns,
      lists: forTexts((name) => this.#lists[name].list),
      sources: this.#sources,
      usagePlaces: Uint16Array.from(this.#usagePlaces),
      usageSources: Uint16Array.from(this.#usageSources),
      usageTokens: Float64Array.from(this.#usageTokens),
    };
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

function flagsOf(row: Row): number {
  const error = row['is_error'] === 1 ? IS_ERROR : 0;
  const childErrors = row['has_child_errors'] === 1 ? HAS_CHILD_ERRORS : 0;
  return error | childErrors | (row['is_root'] === 1 ? IS_ROOT : 0);
}

/** As `facetValue` reads it: texts as they are, all else as JSON. */
function attributeOf(row: Row, name: 'kind' | 'user'): string | null {
  const type = textOf(row[`${name}_type`]);
  if (type === 'text') return textOfBlob(row[`${name}_text`]);
  return type === null || type === 'null' ? null : textOf(row[`${name}_token`]);
}

function usagesOfRow(row: Row): ModelUsage[] {
  const summary = textOf(row['summary']);
  return summary === null ? [] : usagesOf(parseJson(textOf(row['attributes']) ?? 'null'), parseJson(summary));
}
