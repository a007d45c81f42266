const FLUSH_TIMEOUT_MS = 120_000;

export const load = () => import('../../dist/index.js');

/** The built package with its default settings. */
export const open = (service) => openWith(service);

export async function openWith({ url, apiKey, home }, options = {}) {
  const { flush, init, stats, traced } = await load();
  init({ url, apiKey, project: 'acme/bench', home, ...options });
  return {
    async: (fn) => traced(fn),
    sync: (fn) => traced(fn),
    generator: (fn) => traced(fn),
    async flush() {
      await flush({ timeoutMs: FLUSH_TIMEOUT_MS });
      const { dropped, spooled } = stats();
      if (dropped + spooled > 0) process.stderr.write(`spoor: ${dropped} records dropped, ${spooled} on disk\n`);
    },
  };
}
