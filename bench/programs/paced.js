/** Makes calls at a steady rate, as many in a turn as are due; `afterTurn` gets how many were made until then. */
export function makePaced(call, callsPerSec, afterTurn = () => undefined) {
  const startedAt = performance.now();
  let made = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) * callsPerSec) / 1000);
    for (; made < due; made++) void call(`question ${made}`);
    afterTurn(made);
  }, 1);
  return {
    /** Makes no more calls; answers how many there were. */
    stop() {
      clearInterval(timer);
      return made;
    },
  };
}
