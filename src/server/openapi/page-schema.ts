import { type Html, html, prose } from './html.ts';
import type { JsonSchema } from './json-schema.ts';
import { table } from './page-table.ts';

/** The fields of an object, those of objects inside it by their paths. */
export function fieldTable(schema: JsonSchema): Html {
  const rows = fieldRows(schema, '');
  if (rows.length === 0) return html`<p class="quiet">No fields.</p>`;
  return table(['Field', 'Type', 'Meaning'], rows);
}

function fieldRows({ properties = {}, required = [] }: JsonSchema, path: string): Html[] {
  return Object.entries(properties).flatMap(([key, field]) => [
    row(`${path}${key}`, field, required.includes(key)),
    ...innerRows(field, `${path}${key}`),
  ]);
}

function innerRows(field: JsonSchema, path: string): Html[] {
  if (field.properties) return fieldRows(field, `${path}.`);
  const items = field.items === false ? undefined : field.items;
  return items?.properties ? fieldRows(items, `${path}[].`) : [];
}

function row(path: string, field: JsonSchema, isRequired: boolean): Html {
  const mark = isRequired ? html` <span class="required">required</span>` : html``;
  const standard = field.default === undefined ? html`` : html` Default <code>${JSON.stringify(field.default)}</code>.`;
  return html`<tr>
    <td><code>${path}</code>${mark}</td>
    <td>${typeOf(field)}</td>
    <td>${prose(field.description ?? '')}${standard}</td>
  </tr> `;
}

/** A type in words, with links to the records it names. */
export function typeOf(schema: JsonSchema): Html {
  const { $ref, const: literal, enum: values, oneOf, anyOf, format } = schema;
  if ($ref !== undefined) return recordLink($ref);
  if (literal !== undefined) return html`<code>${JSON.stringify(literal)}</code>`;
  if (values) return joined(values.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  const options = oneOf ?? anyOf;
  if (options) return joined(options.map(typeOf));
  const types = [schema.type ?? 'any JSON'].flat();
  return joined(
    types.map((type) => (type === 'string' && format === 'date-time' ? html`date-time` : simple(type, schema))),
  );
}

function simple(type: string, { items, prefixItems, additionalProperties }: JsonSchema): Html {
  if (type === 'array' && prefixItems) return html`[${joined(prefixItems.map(typeOf), ', ')}]`;
  if (type === 'array' && items) return html`${typeOf(items)}[]`;
  if (typeof additionalProperties === 'object') return html`object of ${typeOf(additionalProperties)}`;
  return html`${type}`;
}

function recordLink(ref: string): Html {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return html`<a href="#${name}">${name}</a>`;
}

function joined(parts: readonly Html[], separator = ' | '): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;
}
