import { loadWith, registerProvider } from './otel.js';

export async function load() {
  const [otel, openinference] = await Promise.all([
    loadWith(() => import('@opentelemetry/exporter-trace-otlp-http')),
    import('@arizeai/openinference-core'),
  ]);
  return { ...otel, ...openinference };
}

export async function open(service) {
  const loaded = await load();
  const provider = registerProvider(loaded, service);
  const trace = (fn, { name }) => loaded.withSpan(fn, { name });
  return {
    async: trace,
    sync: trace,
    unsupported: { generator: 'it records no chunks of a generator' },
    flush: () => provider.forceFlush(),
  };
}
