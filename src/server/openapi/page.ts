// docs/decisions/0012-reference-page-of-our-own.md says why.
import { createHash } from 'node:crypto';
import { DEFAULT_LIMITS } from '../../protocol/limits.ts';
import type { OpenApiDocument } from './document.ts';
import { Html, html, paragraphs, prose } from './html.ts';
import type { JsonSchema } from './json-schema.ts';
import { type Entry, operationArticle, placeOf } from './page-operation.ts';
import { fieldTable } from './page-schema.ts';
import { STYLE } from './page-style.ts';

export interface Page {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The reference page of the service, which may do nothing but show itself in its own style. */
export function openReferencePage(document: OpenApiDocument): Page {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const headers = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  return { text: textOf(document), headers };
}

function textOf(document: OpenApiDocument): string {
  const { info, tags } = document;
  const entries = entriesOf(document);
  const records = Object.entries(document.components.schemas).filter(([name]) => !/Request$|Response$/.test(name));
  const inArea = (tag: string) => entries.filter(({ operation }) => operation.tags.includes(tag));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}: ${info.summary}</title>
        ${STYLE_TAG}
      </head>
      <body>
        <main>
          <p class="jump"><a href="#contents">Contents</a></p>
          <h1>${info.title}</h1>
          <p class="lead">
            ${info.summary}, version ${info.version}. This page as <a href="openapi.json">OpenAPI 3.1</a>.
          </p>
          ${paragraphs(info.description)}
          <h2 id="keys">Keys</h2>
          <p>
            ${prose('Every endpoint needs `Authorization: Bearer <key>`, or `Basic` with the key as the password.')}
          </p>
          ${tags.map(({ name, description }) => area(name, description, inArea(name), document))}
          <h2 id="records">Records</h2>
          ${records.map(([name, schema]) => record(name, schema))} ${limits()}
        </main>
        <nav id="contents" aria-label="Contents">
          ${tags.map(({ name }) => contents(name, inArea(name)))}
          <h2><a href="#records">Records</a></h2>
          <ul>
            ${records.map(([name]) => html`<li><a href="#${name}">${name}</a></li>`)}
          </ul>
          <h2><a href="#limits">Limits</a></h2>
        </nav>
      </body>
    </html>`;
  return page.text;
}

// In one piece: its hash allows this text and no other.
const STYLE_TAG = new Html(`<style>${STYLE}</style>`);

function entriesOf({ paths }: OpenApiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get ? [{ method: 'GET', path, operation: get } as const] : []),
    ...(post ? [{ method: 'POST', path, operation: post } as const] : []),
  ]);
}

function contents(name: string, entries: readonly Entry[]): Html {
  const links = entries.map(
    (entry) =>
      html`<li>
        <a href="#${placeOf(entry)}"><code>${entry.path}</code></a>
      </li>`,
  );
  return html`<h2>${name}</h2>
    <ul>
      ${links}
    </ul> `;
}

function area(name: string, description: string, entries: readonly Entry[], document: OpenApiDocument): Html {
  return html`<section>
    <h2>${name}</h2>
    <p class="lead">${description}</p>
    ${entries.map((entry) => operationArticle(entry, document))}
  </section> `;
}

function record(name: string, schema: JsonSchema): Html {
  const { description = '' } = schema;
  const options = schema.oneOf ?? [];
  const operators = options.flatMap((option) => (option.description === undefined ? [] : [operator(option)]));
  const kinds =
    operators.length > 0
      ? operators
      : options.map((option) => html`<li>${prose(`\`${option.$ref?.split('/').at(-1) ?? ''}\``)}</li>`);
  return html`<article id="${name}">
    <h3>${name}</h3>
    <p>${prose(description)}</p>
    ${
      kinds.length > 0
        ? html`<ul>
            ${kinds}
          </ul>`
        : fieldTable(schema)
    }
  </article> `;
}

function operator({ title = '', description = '' }: JsonSchema): Html {
  return html`<li><code>${title}</code> ${prose(description)}</li>`;
}

function limits(): Html {
  const rows = Object.entries(DEFAULT_LIMITS).map(
    ([key, value]) =>
      html`<tr>
        <td><code>${key}</code></td>
        <td>${value}</td>
      </tr>`,
  );
  return html`<h2 id="limits">Limits</h2>
    <p>${prose('What they are unless the operator says otherwise; `/server_info` tells the values in force.')}</p>
    <div class="rows">
      <table>
        <thead>
          <tr>
            <th>Limit</th>
            <th>Default</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div> `;
}
