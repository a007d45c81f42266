import type {
  FeedbackBatchCreateResponse,
  FeedbackCreateRequest,
  FeedbackCreateResponse,
  FeedbackQueryRequest,
  FeedbackQueryResponse,
  FeedbackReplaceRequest,
} from '../protocol/feedback.ts';
import type { InProject } from './calls.ts';
import { idsQuery } from './costs.ts';
import type { Requester, RequestOptions } from './request.ts';

export interface FeedbackApi {
  /** `/feedback/create`: the id, time and payload it is stored with. */
  create(feedback: InProject<FeedbackCreateRequest>, options?: RequestOptions): Promise<FeedbackCreateResponse>;
  /** `/feedback/batch/create`: stores all or none; the same, one for each in order. */
  createBatch(
    batch: readonly InProject<FeedbackCreateRequest>[],
    options?: RequestOptions,
  ): Promise<FeedbackCreateResponse[]>;
  /** `/feedback/query`: feedback of the project, oldest first unless `sort_by` says otherwise. */
  query(request?: InProject<FeedbackQueryRequest>, options?: RequestOptions): Promise<FeedbackQueryResponse['result']>;
  /** `/feedback/purge`: removes feedback for good; ids that are not there do no harm. */
  purge(ids: readonly string[], options?: RequestOptions & { readonly project_id?: string }): Promise<void>;
  /** `/feedback/replace`: puts new feedback in the place of `feedback_id`. */
  replace(feedback: InProject<FeedbackReplaceRequest>, options?: RequestOptions): Promise<FeedbackCreateResponse>;
}

export function createFeedbackReader(
  requester: Requester,
  projectOf: (given: string | undefined) => string,
): FeedbackApi {
  const send = async (path: string, body: object, { signal }: RequestOptions = {}) =>
    await requester.sendForJson({ method: 'POST', path, body, signal });
  return {
    async create(feedback, options) {
      const body = { ...feedback, project_id: projectOf(feedback.project_id) };
      return (await send('/feedback/create', body, options)) as FeedbackCreateResponse;
    },
    async createBatch(feedback, options) {
      const batch = feedback.map((one) => ({ ...one, project_id: projectOf(one.project_id) }));
      return ((await send('/feedback/batch/create', { batch }, options)) as FeedbackBatchCreateResponse).res;
    },
    async query(request = {}, options = {}) {
      const body = { ...request, project_id: projectOf(request.project_id) };
      return ((await send('/feedback/query', body, options)) as FeedbackQueryResponse).result;
    },
    async purge(ids, { project_id, ...options } = {}) {
      await send('/feedback/purge', { project_id: projectOf(project_id), query: idsQuery(ids) }, options);
    },
    async replace(feedback, options) {
      const body = { ...feedback, project_id: projectOf(feedback.project_id) };
      return (await send('/feedback/replace', body, options)) as FeedbackCreateResponse;
    },
  };
}
