import { createKit, type TransparencyKit } from './kit.ts';
import { resultsTransparency } from './results.ts';
import { promisesTransparency } from './promises.ts';
import { thenablesTransparency } from './thenables.ts';
import { receiversTransparency } from './receivers.ts';
import { functionsTransparency } from './functions.ts';
import { constructorsTransparency } from './constructors.ts';
import { generatorsTransparency } from './generators.ts';
import { asyncGeneratorsTransparency } from './async-generators.ts';
import { webStreamsTransparency } from './web-streams.ts';
import { nodeResultsTransparency } from './node-results.ts';
import { loadTransparency } from './load.ts';
import { contextTransparency } from './context.ts';
import { acrossTransparency } from './across.ts';
import { serversTransparency } from './servers.ts';
import { decoratorsTransparency } from './decorators.ts';
import { maskTransparency } from './mask.ts';
import { valuesTransparency } from './values.ts';
import { typesTransparency } from './signatures.ts';
import type { TransparencyRunner, TransparencySubject } from './subject.ts';

export type {
  Decorator,
  MaskUnderTest,
  MethodContext,
  RecordedCall,
  RecordingTarget,
  TransparencyRunner,
  TransparencySubject,
  Wrap,
  Wrappable,
  WrapOptions,
} from './subject.ts';

/**
 * Every section and its files of checks. A file `<topic>.ts` exports one function that states checks:
 *
 *     export function timersTransparency({ check }: TransparencyKit): void {
 *       check('a call made in a timer hangs below the call that set it', {
 *         // Runs bare (`wrap: f => f`), then wrapped; both times it must answer what `sees` says: plain data.
 *         run: async ({ wrap }) => {
 *           const leaf = wrap(() => 1, 'leaf');
 *           const root = wrap(async () => (await sleep(1), leaf()), 'root');
 *           return await root();
 *         },
 *         sees: 1,
 *         // Every call of the wrapped run, in order of starts. `under` is the op of the parent, `inputs` the list of
 *         // arguments; or a function that gets the recorded calls and asserts, asked again until it is content.
 *         calls: [{ op: 'root', under: null }, { op: 'leaf', under: 'root', output: 1 }],
 *       });
 *     }
 *
 * Names of ops are made unique by the kit. What only some subjects have (`start`, `stop`, …) is a member of
 * `TransparencySubject`, and a check that needs it says so in `needs`.
 */
const SECTIONS: Readonly<Record<string, readonly ((kit: TransparencyKit) => void)[]>> = {
  Wrapper: [
    resultsTransparency,
    promisesTransparency,
    thenablesTransparency,
    receiversTransparency,
    functionsTransparency,
    constructorsTransparency,
    generatorsTransparency,
    asyncGeneratorsTransparency,
    webStreamsTransparency,
    nodeResultsTransparency,
    loadTransparency,
    serversTransparency,
    decoratorsTransparency,
  ],
  Types: [typesTransparency],
  Context: [contextTransparency, acrossTransparency],
  Values: [valuesTransparency, maskTransparency],
};

/**
 * Checks that a wrapper cannot be felt: that functions wrapped by it behave as the bare ones do, and are recorded.
 * Runs under any test runner that has `describe` and `test`.
 *
 * @example
 * transparencyConformance({ describe, test, afterAll }, { wrap: traced });
 */
export function transparencyConformance(runner: TransparencyRunner, subject: TransparencySubject): void {
  runner.describe(`${subject.name ?? 'the wrapper'} cannot be felt`, () => {
    const kit = createKit(runner, subject);
    for (const [name, files] of Object.entries(SECTIONS)) {
      if (subject.sections?.includes(name) === false) continue;
      runner.describe(name, () => {
        for (const file of files) file(kit);
      });
    }
    if (subject.excused !== undefined && subject.sections === undefined) kit.checkExcuses();
  });
}
