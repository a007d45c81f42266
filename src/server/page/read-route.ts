import type { FastifyInstance } from 'fastify';
import { SKELETON_TYPE } from '../../protocol/page/skeleton.ts';
import { readRows, readRowsById } from '../query/rows/call-rows.ts';
import { readStats } from '../query/rows/call-stats.ts';
import { readDifferences } from '../query/differences/read-differences.ts';
import { readProjects } from '../query/read/read-projects.ts';
import { traceSkeleton } from '../query/rows/trace-skeleton.ts';
import type { Services } from '../services.ts';
import { EXPORT_TYPES, exportCalls } from './export-calls.ts';
import { pagePost } from './page-route.ts';
import { streamBytes } from './stream-bytes.ts';

/** Reads of calls for pages. */
export function registerPageReads(app: FastifyInstance, services: Services): void {
  const sources = { ...services.storage, defaultPrices: services.defaultPrices };

  pagePost(app, services, 'pageProjects', async (_body, exchange) => ({
    projects: await readProjects(services.storage, exchange),
  }));

  pagePost(app, services, 'pageCallRows', async (body, exchange) => await readRows(sources, body, exchange));

  pagePost(app, services, 'pageCallRow', async (body, exchange) => ({
    rows: await readRowsById(sources, body, exchange),
  }));

  pagePost(app, services, 'pageCallsStats', async (body, exchange) => await readStats(sources, body, exchange));

  pagePost(
    app,
    services,
    'pageCallsDifferences',
    async (body, exchange) => await readDifferences(sources, body, exchange),
  );

  pagePost(
    app,
    services,
    'pageTraceSkeleton',
    async (body, exchange) =>
      await streamBytes(services, exchange, SKELETON_TYPE, (read) => traceSkeleton(sources, body, read)),
  );

  pagePost(app, services, 'pageCallsExport', async (body, exchange) => {
    exchange.reply.header('content-disposition', `attachment; filename="calls.${body.format}"`);
    return await streamBytes(services, exchange, EXPORT_TYPES[body.format], (read) => exportCalls(sources, body, read));
  });
}
