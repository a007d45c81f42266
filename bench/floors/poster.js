/** A request is sent from so many items on, a thousand calls where a call has two. */
const MIN_BATCH_ITEMS = 2000;
/** What has come together meanwhile goes with it: a receiver that is slow for once must not leave a heap to collect. */
const MAX_BATCH_ITEMS = 8000;

/** Posts what it is given in batches, one request at a time over a kept connection; no retries, no limits. */
export function createPoster({ url, path, bodyOf }) {
  const { Agent, request } = process.getBuiltinModule('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let waiting = [];
  let taken = 0;
  let sending;

  function take() {
    const items = waiting.slice(taken, taken + MAX_BATCH_ITEMS);
    taken += items.length;
    if (taken === waiting.length) {
      waiting = [];
      taken = 0;
    }
    return items;
  }

  function post(items) {
    const body = Buffer.from(bodyOf(items));
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    return new Promise((resolve, reject) => {
      const outgoing = request(url + path, { method: 'POST', agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`The sink answered ${response.statusCode}`));
        response.resume().on('end', resolve);
      });
      outgoing.on('error', reject).end(body);
    });
  }

  async function send(least) {
    while (waiting.length - taken >= least) await post(take());
    sending = undefined;
  }

  return {
    push: (item) => {
      waiting.push(item);
      if (sending === undefined && waiting.length >= MIN_BATCH_ITEMS) sending = send(MIN_BATCH_ITEMS);
    },
    flush: async () => {
      await sending;
      await send(1);
    },
  };
}
