import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT, runProgram, startProgram } from './program.ts';
import { machinePerTest } from './machine.ts';
import { runCli } from './service-process.ts';

const machine = machinePerTest();

interface Report {
  readonly findings: { level: string; about: string; message: string; advice?: string }[];
  readonly problems: { kind: string; message: string; project: string; url?: string }[];
}

async function examine(): Promise<Report> {
  return JSON.parse((await runCli(machine.home, 'doctor', '--json')).stdout) as Report;
}

const told = ({ findings }: Report) => findings.filter(({ about }) => about === 'last problems');

test('a program with a wrong key has ended: the doctor names it, its address and its project, not the key', async () => {
  const env = { SPOOR_URL: machine.service.url, SPOOR_API_KEY: 'a-key-that-nobody-made' };
  const source = 'init({ onError: () => {} }); step(1); await flush();';
  expect(await runProgram(machine.home, source, env)).toEqual({ code: 0, signal: null, stderr: '' });
  const report = await examine();
  expect(told(report)).toMatchObject([
    {
      level: 'warning',
      message: expect.stringMatching(
        /^key-refused, told once, last .+ ago \(.+\) in local\/flow: Cannot deliver/,
      ) as string,
      advice: 'The key of this check is accepted there: give the program the same, as SPOOR_API_KEY',
    },
  ]);
  expect(report.problems).toMatchObject([{ kind: 'key-refused', project: PROJECT, url: machine.service.url }]);
  expect(JSON.stringify(report)).not.toContain('a-key-that-nobody-made');
});

test('records of a program that runs are shown, and are no reason for a warning', async () => {
  await machine.service.stop();
  const source = "step(1); await flush(); console.log('ready'); setInterval(() => {}, 1000);";
  const program = startProgram(machine.home, source);
  await program.line();
  const { findings } = await examine();
  const about = (topic: string) => findings.find((finding) => finding.about === topic);
  expect(about('spool')).toMatchObject({ level: 'ok' });
  expect(about('spool')?.message).toMatch(/^\S+ k?B of 100\.0 MB: 1 segment of 1 running program; the oldest began /);
  expect(about('waiting records')).toMatchObject({ level: 'ok', message: 'none' });
  program.child.kill('SIGKILL');
  await program.ended;
});

test('what a program lost is known after its end, with what was wrong', async () => {
  await machine.service.stop();
  // In place of the folder, as the administrator may write everywhere.
  writeFileSync(join(machine.home, 'spool'), '');
  const { stderr } = await runProgram(machine.home, 'for (let n = 0; n < 10; n++) step(n);');
  expect(stderr.split('\n').filter((line) => line.includes('lost:'))).toEqual([
    'spoor: 20 records were lost: exit 20 (see "spoor doctor")',
  ]);
  const report = await examine();
  expect(told(report).map(({ level, message }) => [level, message.split(',', 1)[0]])).toEqual([
    ['warning', 'lost-at-exit'],
    ['warning', 'spool-unwritable'],
  ]);
  expect(told(report)[0]?.message).toContain('told once, 20 records, last ');
  expect(report.findings).toContainEqual(
    expect.objectContaining({ level: 'problem', message: expect.stringContaining('is not a folder') as string }),
  );
});
