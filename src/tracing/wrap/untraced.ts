import { withoutSpans } from '../../protocol/process/open-telemetry.ts';
import { registry } from '../propagation/registry.ts';

/** Runs `fn` below no call and no span: what this package does itself is no work of the program. */
export function untraced<Result>(fn: () => Result): Result {
  return registry.context.exit(() => withoutSpans(fn));
}
