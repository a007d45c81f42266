import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { checkNode } from '../../../src/cli/checks/node.ts';
import { TESTED_LIBRARIES } from '../../../src/protocol/process/tested-libraries.ts';
import { keepProblem } from '../../../src/spool/problem-file.ts';
import { headerLine } from '../../../src/spool/segment-format.ts';
import { makeHome, ROOT, runCli, runNode } from '../../flow/service-process.ts';
import { startAnsweringServer, answerJson } from '../../reader/answering-server.ts';
import { useMemoryService } from './memory-service.ts';

/** This folder has all of them. */
const LIBRARIES = Object.keys(TESTED_LIBRARIES);

interface Report {
  readonly isHealthy: boolean;
  readonly findings: { level: string; about: string; message: string; advice?: string }[];
  readonly problems: { kind: string }[];
}

async function examine(home: string, ...args: string[]): Promise<Report & { code: number | null }> {
  const { stdout, stderr, code } = await runCli(home, 'doctor', '--json', ...args);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Report), code };
}

const about = (report: Report, topic: string) => report.findings.find((finding) => finding.about === topic);

describe('with a service', () => {
  const memoryService = useMemoryService(async () => {});

  test('all is well', async () => {
    const { home, service } = memoryService();
    expect(await examine(home)).toEqual({
      code: 0,
      isHealthy: true,
      findings: [
        { level: 'ok', about: 'node', message: process.versions.node },
        // The folder of a test is made by the system with mode 0700.
        { level: 'ok', about: 'state folder', message: home },
        { level: 'ok', about: 'recording', message: 'every call' },
        ...LIBRARIES.map((name) => ({
          level: 'ok',
          about: 'capture',
          message: expect.stringMatching(new RegExp(`^${name} \\d.* is recorded`)) as string,
        })),
        { level: 'ok', about: 'service', message: `${service.url} answers (found in the state folder)` },
        { level: 'ok', about: 'key', message: 'accepted' },
        { level: 'ok', about: 'version', message: '0.1.0, the same on both sides' },
        { level: 'ok', about: 'storage', message: 'can be read and written' },
        { level: 'ok', about: 'kept', message: 'all' },
        // The keys are there; what a service in memory keeps is not.
        { level: 'ok', about: 'data folder', message: join(home, 'data') },
        { level: 'ok', about: 'data disk', message: 'has room' },
        { level: 'ok', about: 'last problems', message: 'none in the last 24 hours' },
        { level: 'ok', about: 'spool', message: '0 B of 100.0 MB, no records' },
        { level: 'ok', about: 'disk', message: 'has room for all records that may wait' },
        { level: 'ok', about: 'waiting records', message: 'none' },
        { level: 'ok', about: 'project', message: 'local/spoor (from this folder)' },
      ],
      problems: [],
    });
  });

  test('people get a line per finding', async () => {
    const { stdout, code } = await runCli(memoryService().home, 'doctor');
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe(`✓ node: ${process.versions.node}`);
    expect(stdout.trimEnd().split('\n')).toHaveLength(15 + LIBRARIES.length);
  });

  test('a wrong key is a problem', async () => {
    const report = await examine(memoryService().home, '--key', 'wrong');
    expect(report.code).toBe(1);
    expect(about(report, 'service')).toMatchObject({ level: 'ok' });
    expect(about(report, 'key')).toMatchObject({ level: 'problem', message: 'refused: The API key is unknown' });
  });

  test('a service without a known key is a problem of the key', async () => {
    const { service } = memoryService();
    const made = makeHome();
    onTestFinished(made.remove);
    const report = await examine(made.home, '--url', service.url);
    expect(about(report, 'key')).toMatchObject({ level: 'problem', message: `none is known for ${service.url}` });
  });

  test('a problem that is over is said to be, one that may be is not', async () => {
    const { service } = memoryService();
    const made = makeHome();
    onTestFinished(made.remove);
    const base = { at: new Date().toISOString(), message: 'No', count: 0, project: 'acme/x', url: service.url, pid: 7 };
    for (const kind of ['unreachable', 'key-refused', 'spool-unwritable']) keepProblem(made.home, { ...base, kind });
    const report = await examine(made.home, '--url', service.url, '--key', service.apiKey);
    const last = report.findings.filter((finding) => finding.about === 'last problems');
    expect(last.map(({ level, message }) => [level, message.slice(0, message.indexOf(', told'))])).toEqual([
      ['ok', 'spool-unwritable, over: the folder can be written now'],
      ['warning', 'key-refused'],
      ['ok', 'unreachable, over: the service answers now'],
    ]);
    expect(last[1]?.advice).toContain('The key of this check is accepted there');
    expect(report.code).toBe(0);
  });

  test('a project that is none is a problem', async () => {
    const report = await examine(memoryService().home, '--project', 'a/b/c');
    expect(about(report, 'project')).toMatchObject({ level: 'problem' });
  });
});

describe('without a service', () => {
  let home: string;

  beforeEach(() => {
    const made = makeHome();
    home = made.home;
    onTestFinished(made.remove);
  });

  test('it says how to start one, and exits 1', async () => {
    const { stdout, code } = await runCli(home, 'doctor');
    expect(code).toBe(1);
    expect(stdout).toContain(
      '✗ service: none is running here and none is named\n  → Start one with "npx spoor", or name one with SPOOR_URL; until then records wait on disk\n',
    );
  });

  test('an address nobody answers at is a problem', async () => {
    const report = await examine(home, '--url', 'http://127.0.0.1:1', '--key', 'k');
    expect(report).toMatchObject({ code: 1, isHealthy: false });
    expect(about(report, 'service')?.message).toMatch(/^http:\/\/127\.0\.0\.1:1 does not answer: Cannot reach /);
  });

  test('a service of another version is a warning', async () => {
    const server = await startAnsweringServer((response) =>
      answerJson(response, 200, { version: '9.0.0', interface: '1' }),
    );
    const report = await examine(home, '--url', server.url, '--key', 'k');
    expect(report.code).toBe(0);
    expect(about(report, 'version')).toMatchObject({
      level: 'warning',
      message: 'the service is 9.0.0, this package is 0.1.0',
    });
  });

  test('a state folder that others can read is a warning', async () => {
    chmodSync(home, 0o755);
    expect(about(await examine(home), 'state folder')).toEqual({
      level: 'warning',
      about: 'state folder',
      message: `${home} is open to other users (mode 755)`,
      advice: `Run: chmod 700 ${home}`,
    });
  });

  test('a key file that others can read is a problem', async () => {
    writeFileSync(join(home, 'server.json'), '{}');
    chmodSync(join(home, 'server.json'), 0o644);
    expect(about(await examine(home), 'server file')).toMatchObject({ level: 'problem' });
  });

  test('a state folder that is a file is a problem', async () => {
    writeFileSync(join(home, 'file'), '');
    const { stdout, code } = await runNode([`${ROOT}/dist/cli/bin.cjs`, 'doctor'], {
      home,
      env: { SPOOR_HOME: join(home, 'file') },
    });
    expect(code).toBe(1);
    expect(stdout).toContain(`✗ state folder: ${join(home, 'file')} is not a folder`);
  });

  test('a state folder that is not there yet is fine', async () => {
    const { stdout } = await runNode([`${ROOT}/dist/cli/bin.cjs`, 'doctor'], {
      home,
      env: { SPOOR_HOME: join(home, 'later') },
    });
    expect(stdout).toContain(`✓ state folder: ${join(home, 'later')} (made when it is needed)`);
  });

  test('what cannot be a folder of records is a problem', async () => {
    writeFileSync(join(home, 'spool'), '');
    expect((await examine(home)).findings).toContainEqual({
      level: 'problem',
      about: 'state folder',
      message: `${join(home, 'spool')} is not a folder: no record can wait on disk`,
      advice: 'Remove it',
    });
  });

  test('what programs told is a warning, and whole in the JSON', async () => {
    const problem = { at: new Date().toISOString(), kind: 'key-refused', message: '\u009b31mNo', project: 'acme/x' };
    keepProblem(home, { ...problem, count: 0, url: 'http://127.0.0.1:1', pid: 7 });
    const report = await examine(home);
    expect(about(report, 'last problems')).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/^key-refused, told once, last .+ ago \(.+\) in acme\/x: 31mNo$/) as string,
      advice: 'Set SPOOR_API_KEY to a key of "spoor keys create" there; until then records wait on disk',
    });
    expect(report.problems).toEqual([{ ...problem, message: ' 31mNo', count: 0, url: 'http://127.0.0.1:1', pid: 7 }]);
  });

  test('variables that keep programs from recording are a warning', async () => {
    const { stdout } = await runNode([`${ROOT}/dist/cli/bin.cjs`, 'doctor'], {
      home,
      env: { SPOOR_DISABLED: '1', SPOOR_SPOOL_BYTES: '5000' },
    });
    expect(stdout).toContain(
      '! recording: SPOOR_DISABLED is set: programs with this environment record nothing\n  → Unset SPOOR_DISABLED\n',
    );
    expect(stdout).toContain('✓ spool: 0 B of 5.0 kB, no records\n');
  });

  test('records that wait on disk are counted, apart for each service they are for', async () => {
    mkdirSync(join(home, 'spool'));
    const local = headerLine({ url: null, project: 'local/x' });
    const foreign = headerLine({ url: 'https://traces.example', project: 'acme/x' });
    const texts = [local, foreign, local, 'of another version\n'];
    for (const [index, text] of texts.entries()) {
      writeFileSync(join(home, 'spool', `1790000000000-0000000${index}.free.jsonl`), text);
    }
    const { findings } = await examine(home);
    expect(findings.filter((finding) => finding.about === 'waiting records')).toEqual([
      {
        level: 'warning',
        about: 'waiting records',
        message: `2 segments, ${2 * local.length} B for the service of this folder`,
        advice: 'Start "npx spoor": it takes them in',
      },
      {
        level: 'warning',
        about: 'waiting records',
        message: `1 segment, ${foreign.length} B for https://traces.example`,
        advice: 'The next program that records there delivers them, or "spoor drain --url https://traces.example"',
      },
      {
        level: 'warning',
        about: 'waiting records',
        message: `1 segment, 19 B that cannot be read: ${join(home, 'spool', '1790000000000-00000003.free.jsonl')}`,
        advice: 'They are of another version or damaged: remove them, or use that version',
      },
    ]);
  });
});

test.each([
  ['20.18.3', 'problem'],
  ['18.20.0', 'problem'],
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
])('node %s: %s', (version, level) => {
  expect(checkNode(version).level).toBe(level);
});
