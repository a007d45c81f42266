import type { Page } from 'playwright-core';
import { createReader, type Reader } from 'spoor/reader';
import { afterAll, beforeAll, vi } from 'vitest';
import { makeHome, type ServiceProcess, startServiceProcess } from '../flow/service-process.ts';
import { logIn } from './log-in.ts';
import { packedProgram } from './packed-program.ts';
import { type WindowOptions, type Windows, windowsPerTest } from './windows.ts';

/** The packed service in a process of its own and windows that show it, for the tests of one file. */
export interface ServedPages {
  readonly windows: Windows;
  /** The state folder of the service. */
  readonly home: string;
  readonly service: ServiceProcess;
  readonly reader: Reader;
  /** A window that is logged in, at the list of the project. */
  open(options?: Omit<WindowOptions, 'origin'>): Promise<Page>;
  /** The same, at another page of the project, such as `/threads`. */
  openAt(path: string, options?: Omit<WindowOptions, 'origin'>): Promise<Page>;
}

export interface ServedOptions {
  readonly project: string;
  /** Fills the service before the first test. */
  readonly seed: (reader: Reader) => Promise<unknown>;
  /** Options of `spoor serve`. */
  readonly args?: readonly string[];
}

/** A machine that has other work takes its time. */
const TEST_MS = 180_000;

export function servedPages({ project, seed, args = [] }: ServedOptions): ServedPages {
  vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });
  const windows = windowsPerTest();
  const made: { home?: ReturnType<typeof makeHome>; service?: ServiceProcess } = {};
  const service = () => {
    if (made.service === undefined) throw new Error('There is a service only while tests run');
    return made.service;
  };
  const home = () => {
    if (made.home === undefined) throw new Error('There is a state folder only while tests run');
    return made.home.home;
  };
  const reader = () => createReader({ url: service().url, apiKey: service().apiKey, project });
  const openAt: ServedPages['openAt'] = async (path, options = {}) => {
    const page = await windows.open({ origin: service().url, ...options });
    await logIn(page.context(), service().url, reader());
    await page.goto(`${service().url}/ui/${project}${path}`);
    return page;
  };
  beforeAll(async () => {
    made.home = makeHome();
    made.service = await startServiceProcess(made.home.home, args, { program: packedProgram() });
    await seed(reader());
  });
  afterAll(async () => {
    await made.service?.stop();
    made.home?.remove();
  });
  return {
    windows,
    get home() {
      return home();
    },
    get service() {
      return service();
    },
    get reader() {
      return reader();
    },
    open: (options) => openAt('/calls', options),
    openAt,
  };
}
