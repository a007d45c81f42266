import type { Fact } from '../controls/facts/facts.tsx';
import { formatCount } from '../format/count.ts';
import { at } from './layout/numbers.ts';
import { peersOf } from './layout/peers.ts';
import { durationText } from './tree/duration-text.ts';
import type { LaidOutTrace } from './use-trace-layout.ts';

/** When a call began in its trace, and how it stands among those of its op. */
export function neighbourFacts({ skeleton, layout }: LaidOutTrace, call: number): readonly Fact[] {
  const { start } = layout.times;
  const began = at(start, call) - at(start, layout.tree.order[0] ?? 0);
  const { count, position, p50 } = peersOf(skeleton, layout, call);
  const among = [
    { name: 'Op p50', value: durationText(p50) },
    { name: 'Peer', value: `${formatCount(position)} of ${formatCount(count)}` },
  ];
  return [
    ...(count > 1 ? among : []),
    { name: 'Started', value: `${began < 0 ? '−' : '+'}${durationText(Math.abs(began))}` },
  ];
}
