/** Runs the command that the arguments of the process name. */
export async function runCommandLine(): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const args = process.argv.slice(2);
  try {
    const { runProgram } = await import('../program.ts');
    await runProgram(args);
  } catch (error) {
    const { reportFailure } = await import('../failure.ts');
    process.exitCode = reportFailure(error, { isVerbose: args.includes('--verbose') });
  }
}
