export async function register(): Promise<void> {
  // The Edge runtime is no Node, and records nothing.
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return;
  const { init } = await import('spoor');
  init({ attributes: { env: process.env['NODE_ENV'] ?? 'development' } });
}
