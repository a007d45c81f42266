import type { FastifyInstance } from 'fastify';
import { TracingError } from '../../protocol/error.ts';

/** Request headers of the protocol, in both dialects. */
const REQUEST_HEADERS = [
  'accept',
  'authorization',
  'content-encoding',
  'content-type',
  'project_id',
  'svc-api-key',
  'svc-dialect',
  'svc-request-id',
  'svc-retry-id',
  'svc-run',
  'svc-sender',
  'wandb-api-key',
  'x-weave-retry-id',
];

/** How long a browser may remember what it was told, in seconds. */
const MAX_AGE_SECONDS = 600;

const NOTHING = { origin: false } as const;

/** Lets pages of these origins use the service from a browser; `*` stands for all. Hooks added later run later. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const { default: cors } = await import('@fastify/cors');
  const allowed = {
    origin: origins.map(checkOrigin),
    methods: ['GET', 'POST'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: ['svc-request-id', 'retry-after'],
    maxAge: MAX_AGE_SECONDS,
  };
  await app.register(cors, {
    // An OPTIONS request that is no question of a browser is answered like any other.
    delegator: ({ method, headers }, done) =>
      done(null, method === 'OPTIONS' && !isPreflight(headers) ? NOTHING : allowed),
  });
}

function isPreflight(headers: Readonly<Record<string, unknown>>): boolean {
  return headers['origin'] !== undefined && headers['access-control-request-method'] !== undefined;
}

function checkOrigin(origin: string): string {
  if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) return origin;
  throw new TracingError(
    'invalid_configuration',
    `Cannot allow the origin "${origin}": want "*" or scheme, host and port, as in "https://app.example"`,
  );
}
