/** Runs the command that the arguments of the process name. */
export async function runCommandLine(): Promise<void> {
  const args = process.argv.slice(2);
  try {
    const { runProgram } = await import('../program.ts');
    await runProgram(args);
  } catch (error) {
    const { reportFailure } = await import('../failure.ts');
    process.exitCode = reportFailure(error, { isVerbose: args.includes('--verbose') });
  }
}
