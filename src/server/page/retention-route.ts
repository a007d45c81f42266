import type { FastifyInstance } from 'fastify';
import type { KeptPolicy, KeptRule } from '../../protocol/page/retention.ts';
import type { RetentionPolicy, RetentionRule } from '../../storage/contract/retention.ts';
import { type Caller, mayUse } from '../keys/authenticate.ts';
import type { Services } from '../services.ts';
import { KEEP_ALL } from '../shared-policy.ts';
import { pagePost } from './page-route.ts';

/** A read that takes longer has failed. */
const READ_MS = 5000;

/** The policy of all services on the storage. */
export function registerRetentionRoute(app: FastifyInstance, services: Services): void {
  pagePost(app, services, 'pageRetention', async (_body, { caller }) => {
    const { policy } = services.storage;
    if (policy === undefined) return { policy: null };
    return { policy: shownPolicy((await policy.get({ deadlineMs: READ_MS })) ?? KEEP_ALL, caller) };
  });
}

/** Projects of others are nobody's business. */
function shownPolicy({ all, projects }: RetentionPolicy, caller: Caller): KeptPolicy {
  const allowed = Object.entries(projects).filter(([project]) =>
    mayUse(caller, project.slice(0, project.indexOf('/'))),
  );
  return { all: shownRule(all), projects: Object.fromEntries(allowed.map(([name, rule]) => [name, shownRule(rule)])) };
}

function shownRule({ days, bytes }: RetentionRule): KeptRule {
  return { days: days ?? null, bytes: bytes ?? null };
}
