// docs/decisions/0015-serverless-platforms-are-waited-for.md says why.
import type { Environment } from './variables.ts';

/** Keeps the process running until `work` has settled. */
export type WaitUntil = (work: Promise<unknown>) => void;

/** A platform that stops the process when it has answered, for a while or for good. */
export interface ServerlessHost {
  /** Does it stop the process as soon as the promise of a handler settles? */
  readonly isFreezing: boolean;
  /** The platform's offer to the request that is served here; `undefined`: none. May throw what the platform throws. */
  waitUntil(): WaitUntil | undefined;
}

/** The surroundings that tell platforms apart; tests put in their own. */
export interface Surroundings {
  readonly environment: Environment;
  readonly globals: PlatformGlobals;
}

const NEXT = Symbol.for('@next/request-context');
const VERCEL = Symbol.for('@vercel/request-context');

export interface PlatformGlobals {
  /** Next.js looks here for what its `after` waits with, whoever serves it. */
  readonly [NEXT]?: ContextStore;
  readonly [VERCEL]?: ContextStore;
  readonly Netlify?: { readonly context?: RequestContext | null };
  readonly navigator?: { readonly userAgent?: string };
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

interface ContextStore {
  get?(): RequestContext | undefined;
}

interface RequestContext {
  waitUntil?: WaitUntil;
}

/**
 * The platform that this process runs on, if it is one of these. `setting` is the option: `true` takes any process for
 * one that is stopped when it has answered, `false` none.
 */
export function detectServerless(
  setting: 'auto' | boolean,
  { environment, globals }: Surroundings = { environment: process.env, globals: globalThis },
): ServerlessHost | undefined {
  if (setting === false) return undefined;
  const isFreezing = setting === true || Boolean(environment['AWS_LAMBDA_FUNCTION_NAME']);
  // Their request contexts come with the first request, which may be after `init()`.
  const isNamed = isFreezing || Boolean(environment['VERCEL']) || isCloudflare(globals);
  const isThere = isNamed || NEXT in globals || VERCEL in globals || globals.Netlify !== undefined;
  return isThere ? { isFreezing, waitUntil: () => findWaitUntil(globals) } : undefined;
}

/** Looked up each time, since it belongs to one request. */
function findWaitUntil(globals: PlatformGlobals): WaitUntil | undefined {
  const contexts = [
    globals[NEXT]?.get?.(),
    globals[VERCEL]?.get?.(),
    globals.Netlify?.context,
    isCloudflare(globals) ? cloudflareModule(globals) : undefined,
  ];
  const context = contexts.find((each) => typeof each?.waitUntil === 'function');
  return context ? (work) => context.waitUntil?.(work) : undefined;
}

function isCloudflare({ navigator }: PlatformGlobals): boolean {
  return navigator?.userAgent === 'Cloudflare-Workers';
}

/** An import would have to be resolved by bundlers and by Node, which know no module of this name. */
function cloudflareModule({ process }: PlatformGlobals): RequestContext | undefined {
  return process?.getBuiltinModule?.('cloudflare:workers') as RequestContext | undefined;
}
