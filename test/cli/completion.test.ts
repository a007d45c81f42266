import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bashScript } from '../../src/cli/completion/bash.ts';
import { completedCommand } from '../../src/cli/completion/completed-command.ts';
import { fishScript } from '../../src/cli/completion/fish.ts';
import { zshScript } from '../../src/cli/completion/zsh.ts';
import { createProgram } from '../../src/cli/program.ts';
import { makeHome } from '../flow/service-process.ts';

const PROGRAM = completedCommand(createProgram());

function hasShell(name: string): boolean {
  try {
    execFileSync(name, ['-c', 'true'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

function written(script: string): string {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const file = join(home, 'completion');
  writeFileSync(file, script);
  return file;
}

/** What bash offers behind the words, of which the last one is being written. */
function inBash(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const program = `source "$1"; COMP_WORDS=(spoor ${line}); COMP_CWORD=${words.length}; _spoor; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const file = written(bashScript(PROGRAM));
  return execFileSync('bash', ['-c', program, 'bash', file], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

/** What fish offers for a line. */
function inFish(line: string): string[] {
  const file = written(fishScript(PROGRAM));
  const program = 'source $argv[1]; complete -C $argv[2]';
  const text = execFileSync('fish', ['--no-config', '-c', program, file, line], { encoding: 'utf8' });
  return text
    .split('\n')
    .map((entry) => entry.split('\t', 1)[0] ?? '')
    .filter(Boolean);
}

test.skipIf(!hasShell('bash'))('bash completes commands, those of groups, options and their values', () => {
  expect(inBash('s')).toEqual(['serve', 'show', 'search', 'stats']);
  expect(inBash('keys', '')).toEqual(['create', 'list', 'revoke']);
  expect(inBash('keys', 'create', 'ci', '--')).toEqual(
    expect.arrayContaining(['--entities', '--import', '--data', '--storage', '--storage-url', '--json']),
  );
  expect(inBash('ls', '--s')).toEqual(['--status', '--since']);
  expect(inBash('ls', '--status', 'e')).toEqual(['error']);
  expect(inBash('show', 'abcd1234', '--fu')).toEqual(['--full']);
  expect(inBash('run', '--', 'node', 's')).toEqual([]);
});

test.skipIf(!hasShell('fish'))('fish completes commands, those of groups, options and their values', () => {
  expect(inFish('spoor se')).toEqual(['search', 'serve']);
  expect(inFish('spoor keys ')).toEqual(expect.arrayContaining(['create', 'list', 'revoke']));
  expect(inFish('spoor ls --s')).toEqual(['--since', '--status']);
  expect(inFish('spoor ls --status ')).toEqual(expect.arrayContaining(['running', 'error']));
});

test.skipIf(!hasShell('zsh'))('zsh reads its script, and knows whose it is', () => {
  const program =
    'autoload -U compinit; compinit -u -D; source "$1"; print -r -- "${_comps[spoor]}"; _describe() { print -rl -- ${(P)2}; }; words=("${@:2}"); CURRENT=${#words}; _spoor';
  const file = written(zshScript(PROGRAM));
  const offered = (...words: string[]) =>
    execFileSync('zsh', ['-f', '-c', program, 'zsh', file, 'spoor', ...words], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
  expect(offered('keys', '')).toEqual([
    '_spoor',
    ...['create', 'list', 'revoke'].map((name) => expect.stringContaining(`${name}:`) as string),
  ]);
  expect(offered('ls', '--status', '')).toEqual(['_spoor', 'running', 'success', 'error', 'descendant_error']);
  expect(offered('show', 'abcd', '')).toContain(
    '--full:print every call on its own, with attributes, inputs, output and the whole error',
  );
});
