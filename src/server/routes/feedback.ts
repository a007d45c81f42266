import type { FastifyInstance } from 'fastify';
import { createFeedbackBatch } from '../ingest/create-feedback-batch.ts';
import { createFeedback, replaceFeedback } from '../ingest/create-feedback.ts';
import { listText } from '../query/list-text.ts';
import { purgeFeedback, queryFeedback } from '../query/read-feedback.ts';
import { repetitionOf } from '../repetition.ts';
import type { Services } from '../services.ts';
import { post } from './route.ts';

/** What people and programs say about calls and objects. */
export function registerFeedbackRoutes(app: FastifyInstance, services: Services): void {
  const { feedback, objects } = services.storage;

  post(app, services, 'feedbackCreate', async (body, exchange) =>
    createFeedback({ feedback, objects }, body, exchange, repetitionOf(exchange.request, body)),
  );

  post(app, services, 'feedbackBatchCreate', async ({ batch }, exchange) => {
    const stores = { feedback, objects };
    const created = await createFeedbackBatch(stores, batch, exchange, repetitionOf(exchange.request, { batch }));
    return `{"res":[${created.join(',')}]}`;
  });

  post(
    app,
    services,
    'feedbackQuery',
    async (body, exchange) => `{"result":${await listText([await queryFeedback(feedback, body, exchange)])}}`,
  );

  post(app, services, 'feedbackPurge', async (body, exchange) => {
    await purgeFeedback(feedback, body, exchange);
    return '{}';
  });

  post(app, services, 'feedbackReplace', async (body, exchange) =>
    replaceFeedback({ feedback, objects }, body, exchange, repetitionOf(exchange.request, body)),
  );
}
