/** Lets what was left behind happen. */
export const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** What is rejected on purpose is not a failure of this test. */
export async function withoutListeners(act: () => Promise<void>): Promise<void> {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', () => undefined);
  try {
    await act();
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
}
