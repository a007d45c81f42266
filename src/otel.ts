import { installDefaultClient } from './client/default-client.ts';

export { SpoorSpanProcessor } from './integrations/otel/span-processor.ts';
export { SpoorTracerBridge, type TracerBridgeOptions } from './integrations/otel/tracer-bridge.ts';

// Spans are recorded without `init()`, also where nothing else of the package is imported.
installDefaultClient();
