import type { FastifyInstance } from 'fastify';
import { listText } from '../query/read/list-text.ts';
import { purgeFeedback, queryFeedback } from '../query/read/read-feedback.ts';
import type { Services } from '../services.ts';
import { post, postWrite } from './route.ts';

/** Feedback of people and programs on calls and objects. */
export function registerFeedbackRoutes(app: FastifyInstance, services: Services): void {
  const { feedback } = services.storage;

  postWrite(app, services, 'feedbackCreate');
  postWrite(app, services, 'feedbackBatchCreate');
  postWrite(app, services, 'feedbackReplace');

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
}
