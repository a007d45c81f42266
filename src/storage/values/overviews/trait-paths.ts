import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { isJsonObject } from '../../../protocol/values/json-object.ts';
import type { TraitColumn, TraitField, ValueType } from '../../contract/traits.ts';
import { isNumber } from '../value.ts';

/** Takes what is found in bodies, by the place of its field. */
export interface TraitVisitor {
  text(field: number, value: string | number | boolean): void;
  number(field: number, value: number): void;
}

type Aspect = Extract<TraitField, { kind: 'path' }>['of'];

/** The place that a field has from then on. */
type AddField = (field: TraitField) => number;

/** Values are looked at that deep, so many of one body, and of so many different paths, so many of them side by side. */
const MAX_DEPTH = 4;
const MAX_VALUES = 100;
const MAX_PATHS = 5000;
const MAX_NAMES = 200;

/** Longer texts hardly ever are the same. */
const MAX_TEXT = 200;

/** The paths of the bodies of one column: where the fields of each are is looked up once. */
export class TraitPaths {
  readonly #column: TraitColumn;
  readonly #addField: AddField;
  readonly #root = new PathPlace([]);
  #count = 0;

  constructor(column: TraitColumn, addField: AddField) {
    this.#column = column;
    this.#addField = addField;
  }

  /** Visits what is in a body. */
  visit(body: JsonValue, visitor: TraitVisitor): void {
    this.#visitMembers(this.#root, body, { visitor, left: MAX_VALUES });
  }

  #visitMembers(place: PathPlace, value: JsonValue, visit: Visit): void {
    if (!isJsonObject(value)) return;
    for (const name of Object.keys(value)) {
      if (visit.left <= 0) return;
      const member = value[name] ?? null;
      const below = member === null ? undefined : this.#placeOf(place, name);
      if (member === null || below === undefined) continue;
      visit.left -= 1;
      this.#visitValue(below, member, visit);
    }
  }

  #visitValue(place: PathPlace, value: JsonValue, visit: Visit): void {
    const { visitor } = visit;
    visitor.text(this.#fieldOf(place, 'type'), typeOf(value));
    if (typeof value === 'string') {
      if (value.length <= MAX_TEXT) visitor.text(this.#fieldOf(place, 'value'), value);
      // Of attributes nobody asks how long they are.
      if (this.#column === 'inputs') visitor.number(this.#fieldOf(place, 'length'), value.length);
    } else if (typeof value === 'boolean') {
      visitor.text(this.#fieldOf(place, 'value'), value);
    } else if (isNumber(value)) {
      visitor.text(this.#fieldOf(place, 'value'), Number(value));
      visitor.number(this.#fieldOf(place, 'value'), Number(value));
    } else if (Array.isArray(value)) {
      visitor.number(this.#fieldOf(place, 'length'), value.length);
    } else if (place.path.length < MAX_DEPTH) {
      this.#visitMembers(place, value, visit);
    }
  }

  #fieldOf(place: PathPlace, of: Aspect): number {
    const known = place.fields[of];
    if (known !== undefined) return known;
    const field = this.#addField({ kind: 'path', column: this.#column, path: place.path, of });
    place.fields[of] = field;
    return field;
  }

  /** Bodies may have any names: calls come by chance, so those that many have are among the first ones. */
  #placeOf({ path, below }: PathPlace, name: string): PathPlace | undefined {
    const known = below.get(name);
    if (known !== undefined || below.size >= MAX_NAMES || this.#count >= MAX_PATHS) return known;
    const place = new PathPlace([...path, name]);
    below.set(name, place);
    this.#count += 1;
    return place;
  }
}

interface Visit {
  readonly visitor: TraitVisitor;
  /** Values of the body that may still be looked at. */
  left: number;
}

class PathPlace {
  readonly path: readonly string[];
  readonly below = new Map<string, PathPlace>();
  readonly fields: Partial<Record<Aspect, number>> = {};

  constructor(path: readonly string[]) {
    this.path = path;
  }
}

function typeOf(value: JsonValue): ValueType {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'list';
  return isNumber(value) ? 'number' : 'object';
}
