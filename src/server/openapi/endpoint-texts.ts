import type { DocumentedName } from './documented.ts';
import type { EndpointText } from './endpoint-text.ts';
import { CALLS } from './endpoints/calls.ts';
import { COSTS } from './endpoints/costs.ts';
import { FEEDBACK } from './endpoints/feedback.ts';
import { FILES } from './endpoints/files.ts';
import { OBJECTS } from './endpoints/objects.ts';
import { OTEL } from './endpoints/otel.ts';
import { PAGE_TEXTS } from './endpoints/page.ts';
import { REFS } from './endpoints/refs.ts';
import { SERVICE } from './endpoints/service.ts';
import { TABLES } from './endpoints/tables.ts';
import { THREADS } from './endpoints/threads.ts';

/** Every endpoint has its text; an endpoint without one does not compile. */
export const ENDPOINT_TEXTS: Readonly<Record<DocumentedName, EndpointText>> = {
  ...CALLS,
  ...COSTS,
  ...FEEDBACK,
  ...FILES,
  ...OBJECTS,
  ...OTEL,
  ...PAGE_TEXTS,
  ...REFS,
  ...SERVICE,
  ...TABLES,
  ...THREADS,
};
