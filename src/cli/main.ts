#!/usr/bin/env node
// What a Node cannot run it may not even read, so that nothing is imported before its version is known.
const OLDEST = [20, 19] as const;

async function main(): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  try {
    const [first, ...rest] = process.argv.slice(2);
    // Scripts ask for it, and it needs no other part of the command line.
    if (rest.length === 0 && (first === '--version' || first === '-V')) {
      const { PACKAGE_VERSION } = await import('../protocol/version.ts');
      process.stdout.write(`${PACKAGE_VERSION}\n`);
      return;
    }
    const { runProgram } = await import('./program.ts');
    await runProgram(process.argv.slice(2));
  } catch (error) {
    const { reportFailure } = await import('./failure.ts');
    process.exitCode = reportFailure(error, { isVerbose: process.argv.includes('--verbose') });
  }
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

if (isTooOld(process.versions.node)) {
  const needed = `Node ${OLDEST.join('.')} or newer is needed`;
  process.stderr.write(`spoor: ${needed}, and this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else void main();
