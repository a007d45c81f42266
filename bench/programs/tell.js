/** A library that has not delivered by then is measured with what it has delivered. */
const FLUSH_LIMIT_MS = 30_000;

export async function flushWithin(flush) {
  let timer;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, FLUSH_LIMIT_MS);
  });
  await Promise.race([flush(), limit]);
  clearTimeout(timer);
}

/** Sends the result and ends the process, which some libraries would hold for seconds. */
export function tell(result) {
  process.send(result, () => process.exit());
}

/** Sends the result and lets the process end as soon as the library lets it. */
export function leave(result) {
  process.removeAllListeners('disconnect');
  process.send(result, () => process.disconnect());
}

/** Sends why there is no result. Throws, as nothing can follow. */
export function tellSkipped(skipped) {
  process.on('uncaughtException', () => undefined);
  tell({ skipped });
  throw new Error(skipped);
}

// Nobody is left to be told.
process.on('disconnect', () => process.exit());
