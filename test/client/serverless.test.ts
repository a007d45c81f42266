import { describe, expect, test } from 'vitest';
import { detectServerless } from '../../src/client/serverless.ts';

const NEXT = Symbol.for('@next/request-context');
const VERCEL = Symbol.for('@vercel/request-context');
const LAMBDA = { AWS_LAMBDA_FUNCTION_NAME: 'answer' };

/** A request context that remembers what it was handed, and that platforms may call as a method only. */
class Context {
  readonly #works: Promise<unknown>[] = [];
  get works(): readonly Promise<unknown>[] {
    return this.#works;
  }
  waitUntil(work: Promise<unknown>): void {
    this.#works.push(work);
  }
}

const store = (context: Context | undefined) => ({ get: () => context });
const cloudflare = (module: unknown) => ({
  navigator: { userAgent: 'Cloudflare-Workers' },
  process: { getBuiltinModule: (name: string) => (name === 'cloudflare:workers' ? module : undefined) },
});

describe('nothing is found', () => {
  test.each<[string, object]>([
    ['in a plain process', {}],
    ['in one that says what it is', { navigator: { userAgent: 'Node.js/24' }, process }],
    ['in this one', globalThis],
  ])('%s', (_, globals) => {
    expect(detectServerless('auto', { environment: {}, globals })).toBeUndefined();
  });

  test('where it is switched off', () => {
    const globals: object = { [VERCEL]: store(new Context()) };
    expect(detectServerless(false, { environment: { ...LAMBDA, VERCEL: '1' }, globals })).toBeUndefined();
  });
});

test('Lambda freezes the process and offers nothing', () => {
  const host = detectServerless('auto', { environment: LAMBDA, globals: {} });
  expect(host?.isFreezing).toBe(true);
  expect(host?.waitUntil()).toBeUndefined();
});

test('a process that is said to be one is taken for one of Lambda', () => {
  const host = detectServerless(true, { environment: {}, globals: {} });
  expect([host?.isFreezing, host?.waitUntil()]).toEqual([true, undefined]);
});

describe('the request is handed what has to be done:', () => {
  test.each<[string, Record<string, string>, (context: Context) => object]>([
    ['Vercel', { VERCEL: '1' }, (context) => ({ [VERCEL]: store(context) })],
    ['Vercel on Lambda', { ...LAMBDA, VERCEL: '1' }, (context) => ({ [VERCEL]: store(context) })],
    ['Next.js wherever it runs', {}, (context) => ({ [NEXT]: store(context) })],
    ['Next.js on Vercel', { VERCEL: '1' }, (context) => ({ [NEXT]: store(context), [VERCEL]: store(new Context()) })],
    ['Netlify', LAMBDA, (context) => ({ Netlify: { context } })],
    ['Cloudflare', {}, (context) => cloudflare(context)],
  ])('%s', (_, environment, globalsWith) => {
    const context = new Context();
    const work = Promise.resolve();
    detectServerless('auto', { environment, globals: globalsWith(context) })?.waitUntil()?.(work);
    expect(context.works).toEqual([work]);
  });

  test('each request its own', () => {
    let running: Context | undefined;
    const globals: object = { [VERCEL]: { get: () => running } };
    const host = detectServerless('auto', { environment: { VERCEL: '1' }, globals });
    const works = [Promise.resolve(1), Promise.resolve(2)] as const;
    const contexts = works.map((work) => {
      running = new Context();
      host?.waitUntil()?.(work);
      return running;
    });
    expect(contexts.map((context) => context.works)).toEqual(works.map((work) => [work]));
  });
});

describe('a platform offers nothing', () => {
  test.each<[string, Record<string, string>, object]>([
    ['outside of a request', { VERCEL: '1' }, { [NEXT]: store(undefined), [VERCEL]: store(undefined) }],
    ['in a request of Netlify that is over', {}, { Netlify: { context: null } }],
    ['where its store is of another kind', {}, { [NEXT]: {} }],
    ['where Cloudflare has no such module yet', {}, cloudflare(undefined)],
    ['where that module cannot wait', {}, cloudflare({})],
  ])('%s', (_, environment, globals) => {
    const host = detectServerless('auto', { environment, globals });
    expect([host?.isFreezing, host?.waitUntil()]).toEqual([false, undefined]);
  });
});

test('a request context that comes after the start is found where the environment names the platform', () => {
  const globals: Record<symbol, unknown> = {};
  const host = detectServerless('auto', { environment: { VERCEL: '1' }, globals });
  expect(host?.waitUntil()).toBeUndefined();
  globals[VERCEL] = store(new Context());
  expect(host?.waitUntil()).toBeTypeOf('function');
});
