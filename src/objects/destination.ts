import { compileMask, type Mask } from '../tracing/mask/mask.ts';
import { registry } from '../tracing/propagation/registry.ts';
import { activeTracer, type Tracer } from '../tracing/record/tracer.ts';

/** Where a version belongs, and who sends it. */
export interface Destination {
  /** `undefined` while nothing is recorded: a version then has a reference and goes nowhere. */
  readonly tracer: Tracer | undefined;
  readonly projectId: string;
  readonly mask: Mask;
}

/** Where objects live while nothing is recorded: a reference needs a project. */
const NO_PROJECT = 'local/not-recorded';

const DEFAULT_MASK = compileMask(undefined);

export function currentDestination(): Destination {
  const tracer = activeTracer();
  return { tracer, projectId: registry.tracer?.projectId || NO_PROJECT, mask: tracer?.mask ?? DEFAULT_MASK };
}
