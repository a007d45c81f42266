/**
 * A loop that gives the event loop a turn after every `callsPerTurn` calls: awaits alone never let a timer or a socket
 * run. The answer separates the time in the caller's own turns from that of the whole loop. Stops early at the deadline.
 */
export function inTurns(callsPerTurn, step) {
  return async (calls, deadline) => {
    const startedAt = performance.now();
    let ownMs = 0;
    let turnAt = startedAt;
    let done = 0;
    while (done < calls) {
      const end = Math.min(done + callsPerTurn, calls);
      for (; done < end; done++) await step(done);
      ownMs += performance.now() - turnAt;
      await new Promise((resolve) => setImmediate(resolve));
      turnAt = performance.now();
      if (turnAt > deadline) break;
    }
    return { calls: done, wallMs: performance.now() - startedAt, ownMs };
  };
}
