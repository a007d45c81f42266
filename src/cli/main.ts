#!/usr/bin/env node
import { reportFailure } from './failure.ts';

async function main(): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  try {
    const { runProgram } = await import('./program.ts');
    await runProgram(process.argv.slice(2));
  } catch (error) {
    process.exitCode = reportFailure(error, { isVerbose: process.argv.includes('--verbose') });
  }
}

void main();
