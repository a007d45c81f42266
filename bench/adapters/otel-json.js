import { loadWith, openWith } from './otel.js';

export const load = () => loadWith(() => import('@opentelemetry/exporter-trace-otlp-http'));

export async function open(service) {
  return openWith(await load(), service);
}
