import { type EndpointText, PROJECT_ERRORS, QUERY_ERRORS, USER_ERROR } from '../endpoint-text.ts';

const PRICE = {
  prompt_token_cost: 0.00001,
  completion_token_cost: 0.00003,
  cache_read_input_token_cost: 0.000001,
  effective_date: '2024-01-01T00:00:00Z',
  provider_id: 'openai',
};

export const COSTS = {
  costCreate: {
    area: 'Costs',
    summary: 'Stores what one token of models costs',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_request', 'a price is negative, or a name is empty or too long'],
      ['too_many_items', 'more than `costs_per_create` models'],
      USER_ERROR,
    ],
    request: { project_id: 'acme/demo', costs: { 'gpt-x': PRICE } },
    answer: { ids: [['0190a000-0000-7000-8000-00000000000c', 'gpt-x']] },
  },
  costQuery: {
    area: 'Costs',
    summary: 'Reads the prices of a project',
    description: 'Without `sort_by` the oldest come first.',
    errors: [...QUERY_ERRORS, ['too_many_items', 'more than `in_items` items in `$in`, or `sort_items` sort items']],
    request: {
      project_id: 'acme/demo',
      query: { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: 'gpt-x' }] } },
    },
    answer: {
      results: [
        {
          id: '0190a000-0000-7000-8000-00000000000c',
          llm_id: 'gpt-x',
          ...PRICE,
          prompt_token_cost_unit: 'USD',
          completion_token_cost_unit: 'USD',
        },
      ],
    },
  },
  costPurge: {
    area: 'Costs',
    summary: 'Removes prices by their ids, for good',
    description: 'Unknown ids are no error.',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_request', 'the query is not `$eq`, `$in` or `$or` of `$eq` over ids'],
      ['too_many_items', 'more than `in_items` ids'],
    ],
    request: {
      project_id: 'acme/demo',
      query: { $expr: { $in: [{ $getField: 'id' }, [{ $literal: '0190a000-0000-7000-8000-00000000000c' }]] } },
    },
    answer: {},
  },
} as const satisfies Record<string, EndpointText>;
