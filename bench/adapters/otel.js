/** OpenTelemetry without anything around it: spans by hand, with inputs and output as JSON text in two attributes. */
export async function loadWith(exporter) {
  const [api, { resourceFromAttributes }, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-node'),
    exporter(),
  ]);
  return { api, resourceFromAttributes, sdk, OTLPTraceExporter };
}

export function openWith(loaded, service) {
  const provider = registerProvider(loaded, service);
  return { ...spansOf(loaded.api, provider.getTracer('bench')), flush: () => provider.forceFlush() };
}

/** What makes and sends spans, with the batches and limits of its defaults. */
export function registerProvider({ resourceFromAttributes, sdk, OTLPTraceExporter }, { url }) {
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'bench' }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  provider.register();
  return provider;
}

/** Wraps functions in spans of a tracer. */
function spansOf({ context, SpanStatusCode, trace }, tracer) {
  const begin = ({ name, inputs }, args) =>
    tracer.startSpan(name, { attributes: { 'input.value': JSON.stringify(inputs(...args)) } });
  const end = (span, output) => {
    span.setAttribute('output.value', JSON.stringify(output));
    span.end();
  };
  const fail = (span, error) => {
    span.recordException(error);
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  const within = (span) => trace.setSpan(context.active(), span);
  return {
    async: (fn, op) =>
      async function traced(...args) {
        const span = begin(op, args);
        try {
          const output = await context.with(within(span), fn, undefined, ...args);
          end(span, output);
          return output;
        } catch (error) {
          fail(span, error);
          throw error;
        }
      },
    sync: (fn, op) =>
      function traced(...args) {
        const span = begin(op, args);
        try {
          const output = context.with(within(span), fn, undefined, ...args);
          end(span, output);
          return output;
        } catch (error) {
          fail(span, error);
          throw error;
        }
      },
    generator: (fn, op) =>
      async function* traced(...args) {
        const span = begin(op, args);
        const active = within(span);
        const inner = context.with(active, fn, undefined, ...args);
        const chunks = [];
        try {
          for (;;) {
            const { done, value } = await context.with(active, () => inner.next());
            if (done) break;
            chunks.push(value);
            yield value;
          }
          end(span, chunks);
        } catch (error) {
          fail(span, error);
          throw error;
        }
      },
  };
}
