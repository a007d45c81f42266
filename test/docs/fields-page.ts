import { DOCUMENT } from '../server/published-schemas.ts';
import { DOCUMENTED, type DocumentedName } from '../../src/server/openapi/documented.ts';
import type { EndpointText } from '../../src/server/openapi/endpoint-text.ts';
import { ENDPOINT_TEXTS } from '../../src/server/openapi/endpoint-texts.ts';
import type { JsonSchema } from '../../src/server/openapi/json-schema.ts';
import type { MediaType, Operation } from '../../src/server/openapi/operation.ts';

const HEAD = `# Fields

What requests and answers hold, by endpoint. A \`*\` marks what is always there: a request without it is refused. All
else in a request may be left out or \`null\`. The errors listed are those that an endpoint has besides [those of all](errors.md). Names
in \`code\` such as \`batch_items\` are [limits](limits.md).

This page is made of the schemas that requests are checked against: \`npx vitest run test/docs/fields.test.ts -u\` writes it.
`;

/** The page \`docs/reference/fields.md\`. */
export function fieldsPage(): string {
  const { tags, components } = DOCUMENT;
  const areas = tags.map(({ name, description }) => `## ${name}\n\n${description}\n\n${operationsOf(name).join('\n')}`);
  const records = Object.entries(components.schemas)
    .filter(([name]) => !/Request$|Response$/.test(name))
    .map(([name, schema]) => recordText(name, schema));
  return `${[HEAD, ...areas, '## Records\n', ...records].join('\n').trimEnd()}\n`;
}

function operationsOf(area: string): string[] {
  return Object.values(DOCUMENT.paths).flatMap(({ get, post }) =>
    [get, post].flatMap((operation) => (operation?.tags.includes(area) ? [operationText(operation)] : [])),
  );
}

function operationText(operation: Operation): string {
  const { operationId: name, summary, description } = operation;
  const { method, path } = DOCUMENTED[name];
  const texts = [`### ${method} ${path}`, `${summary}.`, ...(description === undefined ? [] : [description])];
  return `${[...texts, ...parametersText(operation), ...requestTexts(operation), ...answerTexts(operation), ...errorsText(name)].join('\n\n')}\n`;
}

const PLACES = { header: 'Header', path: 'Part of the path', query: 'Parameter' } as const;

function parametersText({ parameters }: Operation): string[] {
  const own = parameters.flatMap((parameter) => ('name' in parameter ? [parameter] : []));
  return own.map(({ name, in: place, description }) => `${PLACES[place]} \`${name}\`: ${description}`);
}

function requestTexts({ requestBody }: Operation): string[] {
  return Object.entries(requestBody?.content ?? {}).map(([type, media]) => formText('Request', type, media));
}

function answerTexts({ responses }: Operation): string[] {
  const success = responses['200'];
  if (!success || !('content' in success)) return [];
  const forms = Object.entries(success.content).filter(([type]) => type !== 'application/x-ndjson');
  return forms.map(([type, media]) => formText('Answer', type, media));
}

function formText(what: string, type: string, { schema }: MediaType): string {
  const body = resolve(schema);
  const form = type === 'application/json' ? what : `${what} as \`${type}\``;
  if (body.contentMediaType !== undefined) return `${form}: ${body.description ?? 'the bytes.'}`;
  if (type === 'application/jsonl') return `${form}: one ${typeOf(schema)} on each line.`;
  const rows = rowsOf(body, '');
  return rows.length === 0 ? `${form}: \`{}\`.` : `${form}:\n\n${table(rows)}`;
}

function errorsText(name: DocumentedName): string[] {
  const { errors = [], itemErrors = [] } = ENDPOINT_TEXTS[name];
  return [
    ...errorList('Errors', errors),
    ...errorList('Errors of an item, with status 422 and the item in `detail[].loc`', itemErrors),
  ];
}

function errorList(title: string, errors: NonNullable<EndpointText['errors']>): string[] {
  return errors.length === 0
    ? []
    : [`${title}:\n\n${errors.map(([code, when]) => `- \`${code}\`: ${when}`).join('\n')}`];
}

function recordText(name: string, schema: JsonSchema): string {
  const { oneOf: options = [], description = '' } = schema;
  const lines = options.map((option) =>
    option.$ref === undefined ? `- \`${option.title ?? ''}\`: ${option.description ?? ''}` : `- ${typeOf(option)}`,
  );
  const about = description === '' ? [] : [description];
  return `${[`### ${name}`, ...about, lines.length > 0 ? lines.join('\n') : table(rowsOf(schema, ''))].join('\n\n')}\n`;
}

function table(rows: readonly string[]): string {
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function rowsOf({ properties = {}, required = [] }: JsonSchema, path: string): string[] {
  return Object.entries(properties).flatMap(([key, field]) => {
    const mark = required.includes(key) ? ' *' : '';
    const standard = field.default === undefined ? '' : ` Default \`${JSON.stringify(field.default)}\`.`;
    const row = `| \`${path}${key}\`${mark} | ${typeOf(field)} | ${field.description ?? ''}${standard} |`;
    const items = field.items === false ? undefined : field.items;
    return [row, ...rowsOf(field, `${path}${key}.`), ...(items ? rowsOf(items, `${path}${key}[].`) : [])];
  });
}

function resolve(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : (DOCUMENT.components.schemas[nameOf(schema.$ref)] ?? {});
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function typeOf(schema: JsonSchema): string {
  const { $ref, const: literal, enum: values, oneOf, anyOf, format } = schema;
  if ($ref !== undefined) return `[${nameOf($ref)}](#${nameOf($ref).toLowerCase()})`;
  if (literal !== undefined) return `\`${JSON.stringify(literal)}\``;
  if (values)
    return values.length > 5 ? '[code](errors.md)' : values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  const options = oneOf ?? anyOf;
  if (options) return options.map(typeOf).join(' or ');
  const types = [schema.type ?? 'any JSON'].flat();
  return types
    .map((type) => (format === 'date-time' && type === 'string' ? 'date-time' : simple(type, schema)))
    .join(' or ');
}

function simple(type: string, { items, prefixItems, additionalProperties }: JsonSchema): string {
  if (type === 'array' && prefixItems) return `list of ${prefixItems.map(typeOf).join(' and ')}`;
  if (type === 'array' && items) return `list of ${typeOf(items)}`;
  return typeof additionalProperties === 'object' ? `object of ${typeOf(additionalProperties)}` : type;
}
