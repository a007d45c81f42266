import type { Fact } from '../controls/facts/facts.tsx';
import { formatCount } from '../format/count.ts';
import { at } from '../tree/numbers.ts';
import { peersOf } from './layout/peers.ts';
import { durationText } from './tree/duration-text.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';

/** When a call began, by the axis of its trace, and how it stands among those of its op. */
export function neighbourFacts({ skeleton, layout }: LaidOutTrace, call: number): readonly Fact[] {
  const { count, position, p50 } = peersOf(skeleton, layout, call);
  const among = [
    { name: 'Op p50', value: durationText(p50) },
    { name: 'Peer', value: `${formatCount(position)} of ${formatCount(count)}` },
  ];
  return [...(count > 1 ? among : []), { name: 'Started', value: `+${durationText(at(layout.times.start, call))}` }];
}
