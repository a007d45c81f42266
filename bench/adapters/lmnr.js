export const load = () => import('@lmnr-ai/lmnr');

/** Its default is gRPC over TLS; `forceHttp` makes it post. */
export async function open({ url, apiKey }) {
  const { Laminar, observe } = await load();
  const { port } = new URL(url);
  const baseUrl = 'http://127.0.0.1';
  Laminar.initialize({
    projectApiKey: apiKey,
    baseUrl,
    httpPort: Number(port),
    forceHttp: true,
    instrumentModules: {},
  });
  const trace =
    (fn, { name }) =>
    (...args) =>
      observe({ name }, fn, ...args);
  return { async: trace, sync: trace, generator: trace, flush: () => Laminar.flush() };
}
