import type { BeyondCondition } from '../../../filter/condition.ts';
import type { CallSelection, Field } from '../../../storage/contract/plan.ts';
import type { NamedTrait, TraitColumn, TraitField } from '../../../storage/contract/traits.ts';
import { fieldsOf } from '../../../storage/values/condition-parts.ts';
import { nameOfField } from './field-name.ts';

/** The calls of a side, as they are asked for. */
export interface AskedSide {
  readonly selection: CallSelection;
  readonly beyond: readonly BeyondCondition[];
}

/** Fields that sides are made by, and what follows from them: to say that they differ in these would be to repeat the question. */
export class LeftOut {
  readonly #named = new Set<NamedTrait>();
  readonly #paths: { readonly column: TraitColumn; readonly path: readonly string[] }[] = [];
  #isModelUsed = false;

  constructor(sides: readonly AskedSide[]) {
    for (const { selection, beyond } of sides) {
      this.#addFilter(selection);
      for (const field of selection.condition === undefined ? [] : fieldsOf(selection.condition)) this.#addField(field);
      for (const condition of beyond) this.#addBeyond(condition);
    }
  }

  /** As filters name them. */
  get names(): string[] {
    const named = [...this.#named].map((name) => nameOfField({ kind: 'named', name }));
    const paths = this.#paths.map((place) => nameOfField({ kind: 'path', ...place, of: 'value' }));
    return [...new Set([...named, ...paths])];
  }

  has(field: TraitField): boolean {
    if (field.kind === 'named') return this.#named.has(field.name);
    if (this.#isModelUsed && field.path.at(-1) === 'model') return true;
    return this.#paths.some(({ column, path }) => column === field.column && isAbove(path, field.path));
  }

  #addFilter({ filter }: CallSelection): void {
    if (filter.opNames !== undefined) this.#add('op', 'version');
    if (filter.threadIds !== undefined || filter.turnIds !== undefined) this.#add('thread');
    if (filter.rootsOnly !== undefined || filter.parentIds !== undefined) this.#add('root');
  }

  #addField(field: Field): void {
    switch (field.kind) {
      case 'text':
        return this.#add(...(TEXTS[field.column] ?? []));
      case 'time':
        return this.#add(...(field.column === 'ended_at' ? ENDED : []));
      case 'integer':
        return this.#add(...(field.column === 'latency_ms' ? ENDED : []));
      case 'json':
        return this.#addPath(field.column, field.path);
      case 'feedback':
        return undefined;
    }
  }

  #addPath(column: string, path: readonly string[]): void {
    if (column === 'attributes' || column === 'inputs') this.#paths.push({ column, path });
    if (column === 'inputs' && path.length === 0) this.#add('inputBytes');
    if (column !== 'summary') return;
    if (path[0] === 'usage' && path.length > 1) this.#addModel();
    if (path[0] === 'usage') this.#add('tokensIn', 'tokensOut');
    if (path[0] === 'stream') this.#add('firstChunk');
    if (path[0] === 'status_counts') this.#add('status', 'error');
  }

  #addBeyond(condition: BeyondCondition): void {
    switch (condition.kind) {
      case 'all':
      case 'any':
        for (const part of condition.conditions) this.#addBeyond(part);
        return undefined;
      case 'not':
        return this.#addBeyond(condition.condition);
      case 'model':
        return this.#addModel();
      case 'state':
        return this.#add('status', 'error');
      case 'tokens':
      case 'cost':
      case 'priced':
        return this.#add('tokensIn', 'tokensOut');
      case 'query':
        return undefined;
    }
  }

  #addModel(): void {
    this.#isModelUsed = true;
    this.#add('model', 'provider', 'tokensIn', 'tokensOut');
  }

  #add(...names: readonly NamedTrait[]): void {
    for (const name of names) this.#named.add(name);
  }
}

const TEXTS: Readonly<Partial<Record<string, readonly NamedTrait[]>>> = {
  status: ['status', 'error'],
  exception: ['status', 'error'],
  op_name: ['op', 'version'],
  display_name: ['op', 'version'],
  trace_name: ['op', 'version'],
  thread_id: ['thread'],
  turn_id: ['thread'],
  parent_id: ['root'],
};

/** Traits of calls that have ended: others have no latency. */
const ENDED: readonly NamedTrait[] = ['latency', 'status'];

/** Is a path above or below another? Values above it have it, and those below are parts of it. */
function isAbove(one: readonly string[], other: readonly string[]): boolean {
  return one.slice(0, other.length).every((part, index) => part === other[index]);
}
