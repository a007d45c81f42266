import { storageConformance, type StorageUnderTest } from '../../src/testing/storage/conformance.ts';

/** Runs the kit, or some of its contracts; the names of those that fail. */
export async function failuresOf(
  storage: StorageUnderTest,
  skip: (reason: string) => void = () => undefined,
  isAsked: (contract: string) => boolean = () => true,
): Promise<string[]> {
  const tests: { name: string; body: (context: unknown) => Promise<void> }[] = [];
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    test: (name: string, body: (context: unknown) => Promise<void>) => void tests.push({ name, body }),
  };
  storageConformance(runner, storage);
  const failed: string[] = [];
  for (const { name, body } of tests.filter((each) => isAsked(each.name)))
    await body({ skip }).catch(() => failed.push(name));
  return failed;
}
