import { decodeSkeleton } from '../../protocol/page/decode-skeleton.ts';
import type { TraceSkeleton } from '../../protocol/page/skeleton.ts';
import { send } from './ask.ts';
import { partsOf } from './parts-of.ts';

export interface SkeletonQuestion {
  readonly project: string;
  readonly traceId: string;
  readonly signal: AbortSignal;
  /** Told how many bytes have come, while they come. */
  readonly progress: (bytes: number) => void;
}

/** The shape of a whole trace, in one answer that is read as it comes. */
export async function readTraceSkeleton({
  project,
  traceId,
  signal,
  progress,
}: SkeletonQuestion): Promise<TraceSkeleton> {
  const answer = await send('/x/trace/skeleton', { project_id: project, trace_id: traceId }, { signal });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for await (const part of partsOf(answer)) {
    parts.push(part);
    received += part.length;
    progress(received);
  }
  return decodeSkeleton(new Uint8Array(await new Blob(parts).arrayBuffer()));
}
