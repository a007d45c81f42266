import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCli } from '../../flow/service-process.ts';
import { buildOnce } from '../../build.ts';
import { contentOf, exported, fill, PROJECT, startPlace } from './archived.ts';
import { runKilledAt } from './killed-runs.ts';

beforeAll(buildOnce, 120_000);

// Every place where a process can be killed, one after the other: between any two requests and changes of files.

test('an export that is killed, wherever that is, goes on where it was', { timeout: 600_000 }, async () => {
  const from = await startPlace();
  await fill(from);
  const whole = contentOf(await exported(from, 'whole.jsonl'));

  for (let step = 1, killed = true; killed; step += 1) {
    const file = join(from.home, `killed-${step}.jsonl`);
    const args = ['export', file, '--project', PROJECT];
    killed = (await runKilledAt(from.home, step, ...args)).signal === 'SIGKILL';
    expect(killed || step > 5).toBe(true);
    if (!killed) break;
    // One that was killed behind its last step has ended well, and its file stays.
    const said = await saidBy(from.home, ...args);
    expect([step, said]).toEqual([step, expect.stringMatching(/^$|is there already/)]);
    expect(contentOf(file)).toEqual(whole);
  }
});

test('an import that is killed, wherever that is, loses nothing', { timeout: 600_000 }, async () => {
  const from = await startPlace();
  await fill(from);
  const file = await exported(from, 'whole.jsonl');

  for (let step = 1, killed = true; killed; step += 1) {
    const to = await startPlace();
    killed = (await runKilledAt(to.home, step, 'import', file)).signal === 'SIGKILL';
    expect(killed || step > 20).toBe(true);
    // It compares all that the service has with the archive.
    expect([step, await saidBy(to.home, 'import', file)]).toEqual([step, '']);
    await to.service.stop();
  }
});

test('an import that is killed again and again comes to its end', { timeout: 600_000 }, async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const file = await exported(from, 'whole.jsonl');

  // Few steps each time, so that every attempt but the first begins where one before broke off.
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const steps = 2 + (attempt % 7);
    expect((await runKilledAt(to.home, steps, 'import', file)).signal).toBe('SIGKILL');
  }
  expect(await saidBy(to.home, 'import', file)).toBe('');
  expect(contentOf(await exported(to, 'copy.jsonl'))).toEqual(contentOf(file));
});

/** Why a command fails; nothing where it does not. */
async function saidBy(home: string, ...args: string[]): Promise<string> {
  const { code, stderr } = await runCli(home, ...args);
  return code === 0 ? '' : `${code}: ${stderr}`;
}
