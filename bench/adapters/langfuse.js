export async function load() {
  const [{ LangfuseSpanProcessor }, { observe }, { NodeTracerProvider }] = await Promise.all([
    import('@langfuse/otel'),
    import('@langfuse/tracing'),
    import('@opentelemetry/sdk-trace-node'),
  ]);
  return { LangfuseSpanProcessor, observe, NodeTracerProvider };
}

export async function open({ url, apiKey }) {
  const { LangfuseSpanProcessor, observe, NodeTracerProvider } = await load();
  const processor = new LangfuseSpanProcessor({ publicKey: apiKey, secretKey: apiKey, baseUrl: url });
  new NodeTracerProvider({ spanProcessors: [processor] }).register();
  const trace = (fn, { name }) => observe(fn, { name });
  return {
    async: trace,
    sync: trace,
    unsupported: { generator: 'it records no chunks of a generator' },
    flush: () => processor.forceFlush(),
  };
}
