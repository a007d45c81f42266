import type { ServedName } from '../../protocol/endpoints.ts';
import type { EndpointText } from './endpoint-text.ts';
import { CALLS } from './endpoints/calls.ts';
import { COSTS } from './endpoints/costs.ts';
import { FEEDBACK } from './endpoints/feedback.ts';
import { FILES } from './endpoints/files.ts';
import { OBJECTS } from './endpoints/objects.ts';
import { OTEL } from './endpoints/otel.ts';
import { REFS } from './endpoints/refs.ts';
import { SERVICE } from './endpoints/service.ts';
import { TABLES } from './endpoints/tables.ts';
import { THREADS } from './endpoints/threads.ts';

/** Every endpoint has its text; an endpoint without one does not compile. */
export const ENDPOINT_TEXTS: Readonly<Record<ServedName, EndpointText>> = {
  ...CALLS,
  ...COSTS,
  ...FEEDBACK,
  ...FILES,
  ...OBJECTS,
  ...OTEL,
  ...REFS,
  ...SERVICE,
  ...TABLES,
  ...THREADS,
};
