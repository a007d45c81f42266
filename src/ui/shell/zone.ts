import { showInUtc } from '../format/time.ts';
import { useRemembered } from './remembered.ts';

export type Zone = 'local' | 'utc';

/** By which clock times are shown and written in filters. Whoever draws times anew has to be drawn with it. */
export function useZone(): readonly [Zone, (zone: Zone) => void] {
  const [kept, keep] = useRemembered('times', 'local');
  const zone = kept === 'utc' ? kept : 'local';
  // While it is drawn, so that what is inside has it at once.
  showInUtc(zone === 'utc');
  return [zone, keep];
}
