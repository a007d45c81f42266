import type { TraceState } from '../address/pages.ts';

/** The state of the trace page that is in its URL, in the units of the views. */
export interface TraceAddress {
  /** Id of the selected call. */
  readonly call?: string | undefined;
  readonly as: TraceForm;
  /** The stretch of time that is looked at, microseconds since the first start. */
  readonly zoom?: Zoom | undefined;
  readonly find: string;
  /** The folds that differ from those at first, as `fold-words` names them. */
  readonly fold: readonly string[];
}

export type TraceForm = 'tree' | 'flame' | 'heavy';

export interface Zoom {
  readonly from: number;
  readonly to: number;
}

/** A selection is a step that Back takes back; typing and zooming are not. */
export type ChangeAddress = (change: Partial<TraceAddress>, step: 'push' | 'replace') => void;

const US_PER_MS = 1000;

export function traceAddressOf({ call, as, z, f, fold }: TraceState): TraceAddress {
  return {
    call: call === '' ? undefined : call,
    as: as === 'flame' || as === 'heavy' ? as : 'tree',
    zoom: z && { from: z[0] * US_PER_MS, to: z[1] * US_PER_MS },
    find: f,
    fold,
  };
}

/** The part of the page's state that a change is. */
export function traceStateOf(change: Partial<TraceAddress>): Partial<TraceState> {
  const { call, as, zoom, find, fold } = change;
  return {
    ...(call !== undefined && { call }),
    ...(as !== undefined && { as }),
    ...('zoom' in change && { z: zoom && ([inMs(zoom.from), inMs(zoom.to)] as const) }),
    ...(find !== undefined && { f: find }),
    ...(fold !== undefined && { fold }),
  };
}

function inMs(microseconds: number): number {
  return Math.round(microseconds) / US_PER_MS;
}
