import { callLatencyMs, callStatus } from '../../../protocol/call-summary.ts';
import { opNameOf } from '../../../protocol/ref.ts';
import { asJsonObject } from '../../../protocol/values/json-object.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { ModelUsage } from '../../contract/overviews.ts';
import type { CallTraits, FieldText, NamedTrait, TraitField } from '../../contract/traits.ts';
import { exceptionTypeOf, firstChunkOf } from './call-outline.ts';
import { usagesOf } from './call-usage.ts';
import { isNumber } from '../value.ts';
import { TraitPaths, type TraitVisitor } from './trait-paths.ts';

/** Attributes and inputs of more bytes are not looked into. */
export const MAX_LOOKED_INTO_BYTES = 16 * 1024;

/** Bytes of bodies that are looked into for one answer. */
export const MAX_TRAIT_BYTES = 24 * 1024 * 1024;

/** A call whose traits are found; times in microseconds. */
export interface TraitedCall {
  readonly traceId: string;
  readonly opName: string;
  readonly isRoot: boolean;
  readonly hasThread: boolean;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** At least what it begins with. */
  readonly exception: string | null;
  /** Null where they are too long to be looked into. */
  readonly attributes: JsonValue;
  readonly inputs: JsonValue;
  readonly inputBytes: number;
  readonly summary: JsonValue;
}

/** Finds the traits of calls, one after the other, for all engines. */
export class TraitMaker {
  readonly #total: number;
  readonly #fields: TraitField[] = [];
  readonly #named = new Map<NamedTrait, number>();
  readonly #attributes = new TraitPaths('attributes', (field) => this.#fields.push(field) - 1);
  readonly #inputs = new TraitPaths('inputs', (field) => this.#fields.push(field) - 1);
  readonly #visitor: TraitVisitor = {
    text: (field, value) => this.#addText(field, value),
    number: (field, value) => this.#addNumber(field, value),
  };
  /** By field, where each text is. */
  readonly #textsOf: Map<string | number | boolean, number>[] = [];
  readonly #texts: FieldText[] = [];
  readonly #traceNumbers = new Map<string, number>();
  readonly #traces: number[] = [];
  readonly #textPlaces: number[] = [];
  readonly #textEnds: number[] = [];
  readonly #numbers: number[] = [];
  readonly #numberFields: number[] = [];
  readonly #numberEnds: number[] = [];

  constructor(total: number) {
    this.#total = total;
  }

  add(call: TraitedCall): void {
    this.#traces.push(numberIn(this.#traceNumbers, call.traceId));
    this.#addOutcome(call);
    this.#addNamedText('op', opNameOf(call.opName));
    this.#addNamedText('version', call.opName);
    if (call.hasThread) this.#addNamedText('thread', 'yes');
    if (call.isRoot) this.#addNamedText('root', 'yes');
    this.#addUsages(usagesOf(call.attributes, call.summary));
    this.#addNamedNumber('inputBytes', call.inputBytes);
    this.#attributes.visit(call.attributes, this.#visitor);
    this.#inputs.visit(call.inputs, this.#visitor);
    this.#textEnds.push(this.#textPlaces.length);
    this.#numberEnds.push(this.#numbers.length);
  }

  finish(): CallTraits {
    return {
      total: this.#total,
      count: this.#traces.length,
      traces: Uint32Array.from(this.#traces),
      fields: this.#fields,
      texts: this.#texts,
      textPlaces: Uint32Array.from(this.#textPlaces),
      textEnds: Uint32Array.from(this.#textEnds),
      numbers: Float64Array.from(this.#numbers),
      numberFields: Uint32Array.from(this.#numberFields),
      numberEnds: Uint32Array.from(this.#numberEnds),
    };
  }

  #addOutcome({ exception, startedAt, endedAt, summary }: TraitedCall): void {
    const { error } = asJsonObject(asJsonObject(summary)['status_counts']);
    const descendantErrors = error !== undefined && isNumber(error) ? Number(error) : null;
    this.#addNamedText('status', callStatus({ exception, startedAt, endedAt, descendantErrors }));
    const type = exceptionTypeOf(exception);
    if (type !== null) this.#addNamedText('error', type);
    const latency = callLatencyMs({ startedAt, endedAt });
    if (latency !== null) this.#addNamedNumber('latency', latency);
    const firstChunk = firstChunkOf(summary);
    if (firstChunk !== null) this.#addNamedNumber('firstChunk', firstChunk);
  }

  #addUsages(usages: readonly ModelUsage[]): void {
    if (usages.length === 0) return;
    for (const model of new Set(usages.map((usage) => usage.model))) this.#addNamedText('model', model);
    for (const provider of new Set(usages.map((usage) => usage.provider))) {
      if (provider !== null) this.#addNamedText('provider', provider);
    }
    let [tokensIn, tokensOut] = [0, 0];
    for (const { tokens } of usages) {
      tokensIn += tokens.plainPrompt + tokens.cacheRead + tokens.cacheWrite;
      tokensOut += tokens.plainCompletion + tokens.reasoning;
    }
    this.#addNamedNumber('tokensIn', tokensIn);
    this.#addNamedNumber('tokensOut', tokensOut);
  }

  #addNamedText(name: NamedTrait, text: string): void {
    this.#addText(this.#namedField(name), text);
  }

  #addNamedNumber(name: NamedTrait, number: number): void {
    this.#addNumber(this.#namedField(name), number);
  }

  #namedField(name: NamedTrait): number {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const field = this.#fields.push({ kind: 'named', name }) - 1;
    this.#named.set(name, field);
    return field;
  }

  #addText(field: number, value: string | number | boolean): void {
    const texts = (this.#textsOf[field] ??= new Map());
    let place = texts.get(value);
    if (place === undefined) {
      // Calls come by chance, so a text that many have is among the first ones.
      if (texts.size >= MAX_TEXTS) return;
      place = this.#texts.push({ field, text: String(value) }) - 1;
      texts.set(value, place);
    }
    this.#textPlaces.push(place);
  }

  #addNumber(field: number, number: number): void {
    if (!Number.isFinite(number)) return;
    this.#numbers.push(number);
    this.#numberFields.push(field);
  }
}

/** Different texts of a field that are told apart. */
const MAX_TEXTS = 2000;

function numberIn(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}
