import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { MAX_ADDRESSES } from '../../src/server/keys/refusals.ts';
import { buildOnce } from '../build.ts';
import { BodyService } from '../load/body-service.ts';

beforeAll(buildOnce, 120_000);

/** Of a network of its own each. */
const addressOf = (index: number) => `2001:db8:${(index >> 12).toString(16)}:${(index & 4095).toString(16)}::1`;

/** An address that is remembered takes at least so much. */
const ADDRESS_BYTES = 150;

const AT_ONCE = 16;

test.skipIf(process.platform !== 'linux')(
  'refused requests from ever more addresses take no more memory',
  { timeout: 180_000 },
  async () => {
    const service = await BodyService.start(['--trust-proxy', 'loopback', '--log-level', 'silent']);
    onTestFinished(() => service.close());
    let next = 0;
    const statuses = new Set<number>();
    const refuseTo = async (end: number) => {
      const sender = async () => {
        while (next < end) {
          const headers = { authorization: 'Bearer nobody', 'x-forwarded-for': addressOf(next++) };
          statuses.add((await service.send('/version', undefined, headers)).status);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sender));
      return await service.rest();
    };
    // Tables of what is remembered grow once more when others take the places of those that are forgotten.
    const full = await refuseTo(MAX_ADDRESSES * 1.1);
    const later = await refuseTo(MAX_ADDRESSES * 4);
    expect([...statuses]).toEqual([401]);
    expect(later - full).toBeLessThan((MAX_ADDRESSES * 2.9 * ADDRESS_BYTES) / 2);
  },
);
