export const load = () => import('braintrust');

export async function open({ url, apiKey }) {
  process.env['BRAINTRUST_APP_URL'] = url;
  process.env['BRAINTRUST_API_URL'] = url;
  const { flush, initLogger, wrapTraced } = await load();
  initLogger({ projectName: 'bench', appUrl: url, apiKey });
  const trace = (fn, { name }) => wrapTraced(fn, { name });
  return { async: trace, sync: trace, generator: trace, flush: () => flush() };
}
