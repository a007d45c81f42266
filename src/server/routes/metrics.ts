import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Services } from '../services.ts';

/** Numbers about the service in the text format of Prometheus. */
export function registerMetricsRoute(app: FastifyInstance, services: Services): void {
  let registry: Promise<Registry> | undefined;
  app.get('/metrics', { config: { isOpen: services.openMetrics } }, async (_request, reply) => {
    registry ??= import('../metrics/metrics.ts').then(({ openMetrics }) => openMetrics(services));
    const opened = await registry;
    await services.costCounts.catchUp();
    return await reply.type(opened.contentType).send(await opened.metrics());
  });
}
