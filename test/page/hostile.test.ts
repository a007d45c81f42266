import type { TSchema } from '@sinclair/typebox';
import type { Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { CallEnd, CallStart } from '../../src/protocol/call.ts';
import { formatCallRef, formatObjectRef } from '../../src/protocol/ref.ts';
import { hasBrowser } from './browser.ts';
import { servedPages } from './served-pages.ts';
import { isCompared } from './shown-pages.ts';

const PROJECT = 'local/hostile';
/** Each part of it would tell if it were more than text. 198.51.100.1 is nobody's address. Names have few characters. */
const HOSTILE = '"><img src=//198.51.100.1 onerror=alert(1)><script>taken=1</script>';
const LONGER = `${HOSTILE}<svg onload="alert(1)"><iframe src="//198.51.100.1"></iframe> [link](javascript:taken=1) ![image](//198.51.100.1/b.png)`;
/** The service takes letters and digits for ids, and any text for threads. */
const IDS = { id: 'root', trace_id: 'trace', parent_id: null, turn_id: 'root', thread_id: `thread ${HOSTILE}` };
const CHILD = 'child';
const TABS = ['io', 'chat', 'code', 'attributes', 'usage', 'feedback', 'raw'];

describe.skipIf(!hasBrowser)('what was recorded is text, whatever it says', () => {
  const pages = servedPages({ project: PROJECT, seed: record });

  test('in every field of a call', async () => {
    const page = await pages.open();
    const missing = new Set(fieldsOf(CallStart).concat(fieldsOf(CallEnd)));
    for (const path of pathsOf()) {
      await page.goto(`${pages.service.url}/ui/${PROJECT}${path}`);
      await expect.poll(() => page.locator('body').innerText()).toContain('onerror');
      if (path.includes('tab=')) await page.getByRole('tabpanel').getByText(/\w/).first().waitFor();
      // The head of a comparison has names before both sides are compared.
      if (path.startsWith('/compare')) await isCompared(page);
      expect({ path, ...(await takenBy(page)) }).toEqual({ path, isTaken: false, elements: 0 });
      // Values are shown as JSON writes them.
      const shown = (await page.locator('body').innerText()).replaceAll('\\"', '"');
      for (const field of missing) if (shown.includes(`${field} ${HOSTILE}`)) missing.delete(field);
    }
    expect([...missing]).toEqual([]);
  });

  test('in names of views, ops and threads that are chosen from', async () => {
    const page = await pages.open();
    const look = async () => {
      await page.getByText('onerror').first().waitFor();
      expect(await takenBy(page)).toEqual({ isTaken: false, elements: 0 });
    };
    await page.goto(`${pages.service.url}/ui/${PROJECT}/calls`);
    await look();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByText(`view ${HOSTILE}`).first().waitFor();
    await look();
    await page.keyboard.press('Escape');
    for (const field of ['op', 'model', 'thread']) {
      await page.getByRole('combobox').first().fill(`${field}:`);
      await page.getByRole('option').first().waitFor();
      await look();
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('onerror');
    await look();
  });
});

/** What would be there if something were no text. Markup of the page itself has neither images nor frames. */
async function takenBy(page: Page): Promise<{ isTaken: boolean; elements: number }> {
  const isTaken = await page.evaluate<boolean>("'taken' in globalThis || document.title === 'taken'");
  const foreign = '[onerror], [onload], iframe, script:not([src]), [href^="javascript:"], [src*="198.51"]';
  return { isTaken, elements: await page.locator(foreign).count() };
}

function pathsOf(): readonly string[] {
  const columns = 'op,status,input,output,latency,tokens,in,out,cached,cost,model,thread,kind,feedback,started';
  const call = (tab: string, id: string) => `/trace/trace?call=${encodeURIComponent(id)}&tab=${tab}`;
  return [
    `/calls?roots=0&cols=${columns}&sel=root`,
    ...TABS.flatMap((tab) => [call(tab, 'root'), call(tab, CHILD)]),
    '/trace/trace?as=flame&call=root',
    '/trace/trace?as=heavy&call=root',
    ...['tree', 'io', 'code', 'stats'].map((as) => `/compare?a=${CHILD}&b=root&as=${as}`),
    '/threads',
    `/threads/${encodeURIComponent(IDS.thread_id)}`,
  ];
}

/** A record with text in each field that takes some. A field that the protocol gets is in it by itself. */
function hostileOf(schema: RecordSchema): Record<string, unknown> {
  return Object.fromEntries(
    fieldsOf(schema).map((name) => {
      const text = `${name} ${HOSTILE}`;
      const isObject = kindOf(schema.properties[name]).type === 'object';
      return [name, isObject ? { [text]: text, nested: [{ [LONGER]: LONGER }] } : text];
    }),
  );
}

interface RecordSchema {
  readonly properties: Readonly<Record<string, TSchema>>;
}

/** The fields of a record that take any text. */
function fieldsOf({ properties }: RecordSchema): readonly string[] {
  return Object.keys(properties).filter((name) => {
    const { type, format } = kindOf(properties[name]);
    return !(name in IDS) && name !== 'project_id' && type !== 'integer' && format === undefined;
  });
}

function kindOf(schema: TSchema | undefined): { readonly type?: string; readonly format?: string } {
  const [first] = (schema?.['anyOf'] as readonly TSchema[] | undefined) ?? [];
  return (first ?? schema ?? {}) as { type?: string; format?: string };
}

async function record(reader: Reader): Promise<void> {
  const at = new Date().toISOString();
  const start = hostileOf(CallStart) as { op_name: string; inputs: Record<string, unknown> };
  const end = hostileOf(CallEnd) as { exception: string; summary: Record<string, unknown> };
  const places = {
    attributes: { ...(hostileOf(CallStart)['attributes'] as object), svc: { kind: HOSTILE, code_file: HOSTILE } },
    summary: { ...end.summary, usage: { [`model ${HOSTILE}`]: { requests: 1, input_tokens: 3, output_tokens: 4 } } },
  };
  const messages = [
    { role: 'user', content: LONGER },
    { role: HOSTILE, content: [{ type: 'text', text: LONGER }] },
  ];
  const asked = {
    ...start.inputs,
    model: `model ${HOSTILE}`,
    messages,
    ref: formatObjectRef(PROJECT, 'object', 'x', 'y'),
  };
  const write = (ids: object, more: object) => ({
    mode: 'start' as const,
    req: { start: { ...start, attributes: places.attributes, ...ids, started_at: at, ...more } },
  });
  const finish = (id: string, more: object) => ({
    mode: 'end' as const,
    req: { end: { ...end, summary: places.summary, id, ended_at: at, ...more } },
  });
  await reader.calls.write([
    write(IDS, {}),
    write({ ...IDS, id: CHILD, parent_id: 'root' }, { inputs: asked }),
    finish('root', {}),
    finish(CHILD, { exception: null, output: { choices: [{ message: { role: 'assistant', content: LONGER } }] } }),
  ]);
  const payload = { note: `note ${HOSTILE}` };
  await reader.feedback.create({ svc_ref: formatCallRef(PROJECT, 'root'), feedback_type: 'svc.note.1', payload });
  await reader.page.views.save({ name: `view ${HOSTILE}`, query: 'q=x' });
}
