export async function load() {
  const [{ Client }, { traceable }] = await Promise.all([import('langsmith'), import('langsmith/traceable')]);
  return { Client, traceable };
}

export async function open({ url, apiKey }) {
  process.env['LANGSMITH_TRACING'] = 'true';
  const { Client, traceable } = await load();
  const client = new Client({ apiUrl: url, apiKey });
  const trace = (fn, { name }) => traceable(fn, { client, name, tracingEnabled: true });
  return {
    async: trace,
    // What it wraps returns promises; the loop awaits what comes.
    sync: trace,
    generator: trace,
    flush: () => client.awaitPendingTraceBatches(),
  };
}
