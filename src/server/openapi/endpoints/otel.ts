import type { EndpointText } from '../endpoint-text.ts';

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const count = (key: string, value: string) => ({ key, value: { intValue: value } });

export const OTEL = {
  otelExportTraces: {
    area: 'OpenTelemetry',
    summary: 'Takes an export of OpenTelemetry spans, which become calls',
    description:
      'The body is OTLP as protobuf or JSON, and so is the answer; errors are always JSON. The project comes from the resource attributes `svc.entity` and `svc.project`, else from the header `project_id`. Spans without usable ids, start time or project are left out and counted in `partialSuccess`. Sending a span again changes nothing.',
    errors: [
      ['invalid_request', 'the body is no export'],
      ['invalid_project_id', 'no span has a project'],
    ],
    withoutErrors: ['validation_error'],
    request: {
      resourceSpans: [
        {
          resource: { attributes: [text('svc.entity', 'acme'), text('svc.project', 'demo')] },
          scopeSpans: [
            {
              scope: { name: 'x' },
              spans: [
                {
                  traceId: '0123456789abcdef0123456789abcdef',
                  spanId: '0123456789abcdef',
                  name: 'chat',
                  kind: 3,
                  startTimeUnixNano: '1767225600000000000',
                  endTimeUnixNano: '1767225601500000000',
                  status: { code: 1 },
                  attributes: [
                    text('gen_ai.prompt.0.role', 'user'),
                    text('gen_ai.prompt.0.content', 'hi'),
                    text('gen_ai.completion.0.content', 'hello'),
                    text('gen_ai.response.model', 'gpt-x'),
                    count('gen_ai.usage.input_tokens', '10'),
                    count('gen_ai.usage.output_tokens', '4'),
                    text('svc.thread_id', 'chat-7'),
                    { key: 'svc.is_turn', value: { boolValue: true } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    answer: {},
  },
} as const satisfies Record<string, EndpointText>;
