export const load = () => import('weave');

/** Prints a line for each root call by default, which would be measured too. Its keys have 40 characters. */
export async function open({ url, apiKey }) {
  const settings = {
    WANDB_API_KEY: apiKey,
    // An address where nobody answers: it must not look for its vendor.
    WANDB_BASE_URL: 'http://127.0.0.1:1',
    WF_TRACE_SERVER_URL: url,
    WEAVE_PRINT_CALL_LINK: 'false',
  };
  Object.assign(process.env, settings);
  const { init, op } = await load();
  const client = await init('acme/bench', { printCallLink: false });
  const streamReducer = {
    initialStateFn: () => [],
    reduceFn: (state, chunk) => {
      state.push(chunk);
      return state;
    },
    finalizeFn: (state) => state,
  };
  return {
    async: (fn) => op(fn),
    // It makes every function asynchronous; the loop awaits what comes.
    sync: (fn) => op(fn),
    generator: (fn) => op(fn, { streamReducer }),
    flush: () => client.waitForBatchProcessing(),
  };
}
