export const load = () => import('@traceloop/node-server-sdk');

export async function open({ url, apiKey }) {
  process.env['TRACELOOP_TELEMETRY'] = 'false';
  const { forceFlush, initialize, withTask } = await load();
  initialize({
    appName: 'bench',
    baseUrl: url,
    apiKey,
    traceloopSyncEnabled: false,
    silenceInitializationMessage: true,
    instrumentModules: {},
  });
  const trace =
    (fn, { name }) =>
    (...args) =>
      withTask({ name }, fn, ...args);
  return {
    async: trace,
    // It makes every function asynchronous; the loop awaits what comes.
    sync: trace,
    unsupported: { generator: 'it records no chunks of a generator' },
    flush: () => forceFlush(),
  };
}
