import { afterEach, expect, test, vi } from 'vitest';
import { exportCalls, type ExportFormat } from '../../../src/ui/data/export-calls.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The service's side: each request is answered in pieces of a few bytes, or of so many. */
function answer(...texts: readonly string[]): void {
  answerIn(3, texts);
}

function answerIn(pieceBytes: number, texts: readonly string[]): void {
  let asked = 0;
  vi.stubGlobal('fetch', async () => {
    const bytes = new TextEncoder().encode(texts[asked++]);
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += pieceBytes) controller.enqueue(bytes.slice(at, at + pieceBytes));
        controller.close();
      },
    });
    return new Response(body);
  });
}

async function exported(format: ExportFormat): Promise<string> {
  const selections = [['a', 'b'], ['c']].map((call_ids) => ({ project_id: 'local/app', filter: { call_ids } }));
  const create = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:saved');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await exportCalls(selections, format, { signal: new AbortController().signal, onBytes: () => undefined });
  const [blob] = create.mock.calls[0] ?? [];
  return blob instanceof Blob ? await blob.text() : '';
}

test('of several requests the names of columns stand in the file once', async () => {
  answer('id,op\r\na,plan\r\nb,"x\r\ny"\r\n', 'id,op\r\nc,chat\r\n');
  expect(await exported('csv')).toBe('id,op\r\na,plan\r\nb,"x\r\ny"\r\nc,chat\r\n');
});

test('lines of several requests follow one another', async () => {
  answer('{"id":"a"}\n{"id":"b"}\n', '{"id":"c"}\n');
  expect(await exported('jsonl')).toBe('{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n');
});

test.each([1, 20, 100])('of a file of %i MB the page holds a part, the rest is with the browser', async (megabytes) => {
  const line = `${'x'.repeat(1023)}\n`;
  answerIn(64 * 1024, [line.repeat(megabytes * 1024), '']);
  const held: number[] = [];
  const Real = Blob;
  vi.stubGlobal(
    'Blob',
    class extends Real {
      constructor(parts: BlobPart[] = []) {
        held.push(parts.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.byteLength : 0), 0));
        super(parts);
      }
    },
  );
  expect((await exported('jsonl')).length).toBe(megabytes * 1024 * 1024);
  expect(Math.max(...held)).toBeLessThan(9 * 1024 * 1024);
  expect(held.reduce((sum, bytes) => sum + bytes)).toBe(megabytes * 1024 * 1024);
});
