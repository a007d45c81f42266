import { clearTimeout, setTimeout } from '../host/timers.ts';
import { parseRef, type RefParts } from '../protocol/ref.ts';
import { activeTracer } from '../tracing/record/tracer.ts';
import { lastSent } from './sent-versions.ts';

/** How long a version may be on its way to the service before it is looked at here. */
const WAIT_MS = 1000;

/**
 * The latest version is for the service to tell, which has to know first what was published here a moment ago.
 * When it does not take that, the latest is what was published here last, which is answered.
 */
export async function ownLatest(parts: RefParts): Promise<RefParts | undefined> {
  const tracer = activeTracer();
  if (tracer?.objects === undefined || parts.kind !== 'object' || !/^(?:latest|v\d+)$/.test(parts.version)) return;
  const ref = `${parts.entity}/${parts.project}` === tracer.projectId ? lastSent(tracer, parts.name) : undefined;
  if (ref === undefined || (await isOver(tracer.objects.stored(ref)))) return undefined;
  return parts.version === 'latest' ? { ...parseRef(ref), extra: parts.extra } : undefined;
}

async function isOver(waiting: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, false);
  });
  const isInTime = await Promise.race([waiting.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
}
