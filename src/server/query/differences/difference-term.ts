import { findField, KINDS } from '../../../filter/fields.ts';
import { parseFilter } from '../../../filter/parse-filter.ts';
import { printFilter } from '../../../filter/print-filter.ts';
import type { FilterTree, FilterValue, FieldTest } from '../../../filter/tree.ts';
import type { TraitRelation } from '../../../protocol/page/calls-differences.ts';
import type { TraitField } from '../../../storage/contract/traits.ts';
import { nameOfField, shownValue } from './field-name.ts';

interface Statement {
  readonly field: TraitField;
  readonly relation: TraitRelation;
  readonly value: string;
}

/** A term of a filter that is true of the same calls; null where the language has none. */
export function termOf(statement: Statement): string | null {
  const tree = treeOf(statement);
  if (tree === undefined) return null;
  const term = printFilter(tree);
  // Names that no filter can write come back as something else.
  const read = parseFilter(term);
  return !Array.isArray(read) && printFilter(read) === term ? term : null;
}

function treeOf(statement: Statement): FilterTree | undefined {
  const { relation } = statement;
  switch (relation) {
    case 'is':
      return equality(statement);
    case 'present':
    case 'absent': {
      const name = nameOfField(statement.field);
      // Every call is of some kind: what may be there or not is the attribute.
      const named = findField(name === 'kind' ? 'attr.kind' : name);
      if (named === undefined) return undefined;
      const present = fieldNode('has', { kind: 'is', values: [{ kind: 'field', named, span: NOWHERE }] });
      return relation === 'absent' && present !== undefined ? { kind: 'not', part: present, span: NOWHERE } : present;
    }
    case 'at_least':
      return fieldNode(nameOfField(statement.field), { kind: 'order', order: '>=', value: numberValue(statement) });
    case 'type':
    case 'length_at_least':
    case 'size_at_least':
      return undefined;
  }
}

function equality({ field, value: stored }: Statement): FilterTree | undefined {
  const [name, value] = [nameOfField(field), shownValue(field, stored)];
  switch (name) {
    case 'version':
      return fieldNode('op', isText(value));
    case 'status':
      // What never ended runs, as far as is stored.
      return fieldNode('status', isText(...(value === 'running' ? [value, 'never'] : [value])));
    case 'kind':
      return (KINDS as readonly string[]).includes(value) ? fieldNode('kind', isText(value)) : undefined;
    case 'provider':
      return undefined;
    default:
      return fieldNode(name, field.kind === 'path' && isNumberText(value) ? isNumber(Number(value)) : isText(value));
  }
}

function isNumberText(value: string): boolean {
  return Number.isFinite(Number(value)) && String(Number(value)) === value;
}

const NOWHERE = { offset: 0, length: 0 };

function fieldNode(name: string, test: FieldTest): FilterTree | undefined {
  const named = findField(name);
  return (
    named && {
      kind: 'field',
      field: named.field,
      ...(named.path !== undefined && { path: named.path }),
      test,
      span: NOWHERE,
    }
  );
}

function isText(...texts: readonly string[]): FieldTest {
  return { kind: 'is', values: texts.map((text) => ({ kind: 'text', text, span: NOWHERE })) };
}

function isNumber(number: number): FieldTest {
  return { kind: 'is', values: [{ kind: 'number', number, span: NOWHERE }] };
}

function numberValue({ field, value }: Statement): FilterValue {
  const number = Number(value);
  const isLatency = field.kind === 'named' && field.name === 'latency';
  return isLatency ? { kind: 'duration', ms: number, span: NOWHERE } : { kind: 'number', number, span: NOWHERE };
}
