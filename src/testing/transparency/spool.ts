import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './kit.ts';

/** Every byte that is on disk when recording has ended, after `act` ran without a service. Bare code writes none. */
export async function spooledBy({ subject, target, isBare }: Bench, act: () => unknown): Promise<string> {
  if (isBare || target === undefined) {
    await act();
    return '';
  }
  const home = await mkdtemp(join(tmpdir(), 'spoor-spool-'));
  const url = process.env['SPOOR_URL'];
  await subject.stop?.();
  delete process.env['SPOOR_URL'];
  try {
    const { project } = target;
    await subject.start?.({ project, home });
    await act();
    await subject.stop?.();
    return await contentOf(home);
  } finally {
    if (url !== undefined) process.env['SPOOR_URL'] = url;
    await subject.start?.(target);
    await rm(home, { recursive: true, force: true });
  }
}

/** Of all files of a folder, and what is base64 in them. */
async function contentOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  const text = texts.join('\n');
  const decoded = (text.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? []).map((part) => Buffer.from(part, 'base64').toString());
  return [text, ...decoded].join('\n');
}
