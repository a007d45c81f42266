import type { OpenApiDocument } from './document.ts';
import { DOCUMENTED } from './documented.ts';
import { ENDPOINT_TEXTS } from './endpoint-texts.ts';
import { type Html, html, prose } from './html.ts';
import type { JsonSchema } from './json-schema.ts';
import { errorsOf, examplePath, itemErrorsOf, type MediaType, type Operation } from './operation.ts';
import { fieldTable } from './page-schema.ts';
import { table } from './page-table.ts';

/** One endpoint with its place in the document. */
export interface Entry {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly operation: Operation;
}

/** Name of the place of an endpoint on the page; one path of an extension may have two methods. */
export function placeOf({ method, path, operation }: Entry): string {
  const name = path.slice(1).replaceAll('/', '-').replaceAll(/[{}]/g, '');
  return operation['x-spoor-extension'] === true ? `${method.toLowerCase()}-${name}` : name;
}

/** All that the page says of one endpoint. */
export function operationArticle(entry: Entry, document: OpenApiDocument): Html {
  const { method, path, operation } = entry;
  const { summary, description } = operation;
  return html`<article id="${placeOf(entry)}">
    <h3>
      <span class="method ${method}">${method}</span><a href="#${placeOf(entry)}"><code>${path}</code></a>
    </h3>
    <p>${prose(summary)}.</p>
    ${description === undefined ? html`` : html`<p>${prose(description)}</p>`} ${request(operation, document)}
    ${answer(operation, document)} ${errors(operation)} ${example(entry)}
  </article> `;
}

function request({ requestBody, parameters }: Operation, document: OpenApiDocument): Html {
  const rows = parameters.flatMap((parameter) => ('name' in parameter ? [parameter] : []));
  const named = rows.map(
    ({ name, in: place, description }) => html`<li><code>${name}</code> (${place}) ${prose(description)}</li>`,
  );
  const forms = Object.entries(requestBody?.content ?? {}).map(([type, media]) => form(type, media, document));
  if (forms.length + named.length === 0) return html``;
  return html`<h4>Request</h4>
    ${
      named.length > 0
        ? html`<ul>
            ${named}
          </ul>`
        : html``
    }${forms}`;
}

function answer({ responses }: Operation, document: OpenApiDocument): Html {
  const success = responses['200'];
  if (!success || !('content' in success)) return html``;
  const isStream = 'application/jsonl' in success.content;
  const forms = Object.entries(success.content).filter(([type]) => type !== 'application/x-ndjson');
  return html`<h4>Answer</h4>
    ${isStream ? html`<p>${prose(success.description)}</p>` : html``}${forms.map(([type, media]) => form(type, media, document))}`;
}

/** One form of a body: what its type is, and its fields. */
function form(type: string, { schema }: MediaType, document: OpenApiDocument): Html {
  const body = resolve(schema, document);
  if (body.contentMediaType !== undefined)
    return html`<p class="quiet">As <code>${type}</code>: ${prose(body.description ?? 'the bytes themselves.')}</p>`;
  const note = type === 'application/json' ? html`` : html`<p class="quiet">As <code>${type}</code>:</p>`;
  if (type !== 'application/jsonl') return html`${note}${fieldTable(body)}`;
  const name = schema.$ref?.split('/').at(-1) ?? '';
  return html`<p class="quiet">As <code>${type}</code>: <a href="#${name}">${name}</a> on each line.</p>`;
}

function resolve(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  return schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
}

function errors({ operationId }: Operation): Html {
  const text = ENDPOINT_TEXTS[operationId];
  const rows = [...errorsOf(DOCUMENTED[operationId], text), ...itemErrorsOf(text)].map(
    ({ code, when, status }) =>
      html`<tr>
        <td><code>${code}</code></td>
        <td>${status}</td>
        <td>${prose(when)}</td>
      </tr> `,
  );
  return html`<details>
    <summary>Errors</summary>
    ${table(['Code', 'Status', 'When'], rows)}
  </details> `;
}

function example({ method, path, operation }: Entry): Html {
  const body = operation.requestBody?.content['application/json']?.example;
  const success = operation.responses['200'];
  const content = success && 'content' in success ? success.content : {};
  const shown = (content['application/json'] ?? Object.values(content)[0])?.example;
  const answered = shown === undefined ? html`` : html`<pre><code>${JSON.stringify(shown, null, 2)}</code></pre>`;
  return html`<h4>Example</h4>
    <pre><code>${curl(method, path, body)}</code></pre>
    ${answered} `;
}

/** A line for a shell: a quote inside the body ends the text, stands for itself, and begins the text again. */
function curl(method: string, path: string, body: unknown): string {
  const head = `curl -H "Authorization: Bearer $SPOOR_API_KEY" "$SPOOR_URL${examplePath(path)}"`;
  if (method === 'GET') return head;
  return `${head} \\\n  -d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`;
}
