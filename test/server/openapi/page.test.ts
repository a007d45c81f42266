import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVED } from '../../../src/protocol/endpoints.ts';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { WIRE_CODES } from '../../../src/server/openapi/error-schema.ts';
import type { JsonSchema } from '../../../src/server/openapi/json-schema.ts';
import { DOCUMENT } from '../published-schemas.ts';
import { type RunningServer, startServer } from '../running-server.ts';

let server: RunningServer;
let response: Response;
let page: string;
beforeAll(async () => {
  server = await startServer();
  response = await fetch(`${server.url}/docs`);
  page = await response.text();
});
afterAll(() => server.close());

/** What a browser would show for a text. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

describe('/docs', () => {
  test('is a page for everybody', () => {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.startsWith('<!doctype html>')).toBe(true);
  });

  test('may do nothing but show itself in its own style', () => {
    const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style = '']) => style);
    const hash = createHash('sha256')
      .update(styles[0] ?? '')
      .digest('base64');
    expect(styles).toHaveLength(1);
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page).not.toMatch(/<script|<link|<img|<iframe| style=| on\w+=|@import|url\(/);
  });

  test('links only to places of its own and to the document', () => {
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link);
    const places = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, place = '']) => `#${place}`));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((link) => link !== 'openapi.json' && !places.has(link))).toEqual([]);
    expect(places.size).toBe([...page.matchAll(/ id="/g)].length);
  });

  test('says everything the document says', () => {
    const fieldsOf = ({ properties = {}, items, oneOf = [] }: JsonSchema): [string, string][] =>
      [
        ...Object.entries(properties).map(([key, field]): [string, string] => [key, field.description ?? '']),
        ...Object.values(properties).flatMap(fieldsOf),
        ...(items ? fieldsOf(items) : []),
        ...oneOf.map(({ title = '', description = '' }): [string, string] => [title, description]),
      ].filter(([, description]) => description !== '');
    const fields = Object.values(DOCUMENT.components.schemas).flatMap(fieldsOf);
    const names = [
      ...Object.values(SERVED).map(({ path }) => path),
      ...WIRE_CODES,
      ...Object.keys(DEFAULT_LIMITS),
      ...fields.map(([key]) => key),
    ];
    const shown = page.replaceAll(/<\/?(?:code|a)[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    expect(names.filter((name) => !shown.includes(escaped(name)))).toEqual([]);
    const texts = fields.map(([, description]) => escaped(description.replaceAll('`', '')).replaceAll(/\s+/g, ' '));
    expect(texts.filter((text) => !shown.includes(text))).toEqual([]);
  });

  test('takes no other methods', async () => {
    const answer = await server.post('/docs', {});
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await fetch(`${server.url}/docs`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});
