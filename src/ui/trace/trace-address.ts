/** What of the trace page is in its URL. */
export interface TraceAddress {
  /** Id of the selected call. */
  readonly call?: string | undefined;
  readonly as: TraceForm;
  /** Tab of the detail pane. */
  readonly tab?: string | undefined;
  /** The stretch of time that is looked at, microseconds since the first start. */
  readonly zoom?: Zoom | undefined;
  readonly find: string;
  /** What is folded otherwise than at first, as `fold-text` writes it. */
  readonly fold: string;
}

export type TraceForm = 'tree' | 'flame' | 'heavy';

export interface Zoom {
  readonly from: number;
  readonly to: number;
}

/** A selection is a step that Back takes back; typing and zooming are not. */
export type ChangeAddress = (change: Partial<TraceAddress>, step: 'push' | 'replace') => void;

const FORMS: readonly TraceForm[] = ['tree', 'flame', 'heavy'];

export function readTraceAddress(query: URLSearchParams): TraceAddress {
  const as = FORMS.find((form) => form === query.get('as')) ?? 'tree';
  const common = { as, find: query.get('f') ?? '', fold: query.get('fold') ?? '' };
  return {
    ...common,
    call: query.get('call') ?? undefined,
    tab: query.get('tab') ?? undefined,
    zoom: readZoom(query.get('z')),
  };
}

/** Writes the address over a query string; what else it says is kept, and what is as usual left out. */
export function writeTraceAddress(address: TraceAddress, query: URLSearchParams): URLSearchParams {
  const written = new URLSearchParams(query);
  const { call, tab, zoom, as, find, fold } = address;
  const values: Record<string, string | undefined> = {
    call,
    as: as === 'tree' ? undefined : as,
    tab,
    z: zoom && `${Math.round(zoom.from)},${Math.round(zoom.to)}`,
    f: find,
    fold,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value) written.set(name, value);
    else written.delete(name);
  }
  return written;
}

function readZoom(text: string | null): Zoom | undefined {
  const [from = Number.NaN, to = Number.NaN, ...rest] = (text ?? '').split(',').map(Number);
  return rest.length === 0 && from >= 0 && to > from ? { from, to } : undefined;
}
