import type { TraceUsage } from '../traces/trace.ts';

/** One call of a method that the integration records, and what is to be recorded of it. */
export interface CallUnderTest<Client> {
  /** Makes the call once and answers what the library answers, as it is: a value, a promise, a stream. */
  readonly act: (client: Client) => unknown;
  /** The op that it is recorded as. */
  readonly op: string;
  /** Ops of the calls below it, in the order of their starts. @default none */
  readonly below?: readonly string[];
  /** `attributes.kind`. @default not looked at */
  readonly kind?: string;
  /** @default not looked at */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** @default not looked at */
  readonly output?: unknown;
  /** Tokens by model; of each what is to be looked at. @default not looked at */
  readonly usage?: Readonly<Record<string, Partial<TraceUsage>>>;
  /** The call fails: a part of the text of its error, or the very object that the library throws. @default it does not */
  readonly error?: string | Error;
  /** The call answers a stream, in which `made` tells how many chunks the library of this client has made so far. */
  readonly stream?: { readonly made: (client: Client) => number };
  /** The same call with an argument of the kit, whatever that is. Without it those checks are skipped. */
  readonly actWith?: (client: Client, argument: unknown) => unknown;
}

/**
 * An integration for a library, on one client of it. The library talks to a service on this machine, or is a plain object:
 * of two calls it tells the same.
 */
export interface IntegrationUnderTest<Client> {
  readonly name: string;
  /** A fresh client, as programs make it. */
  readonly create: () => Client | Promise<Client>;
  /** Puts the capture over a client, and answers the one that the program uses from then on. */
  readonly instrument: (client: Client) => Client | Promise<Client>;
  /** By what people call them. Best a call that succeeds, one that fails, and one that answers a stream. */
  readonly calls: Readonly<Record<string, CallUnderTest<Client>>>;
  /** Closes a client that `create` made. @default nothing is closed */
  readonly close?: (client: Client) => unknown;
  /** How long the kit waits for what is recorded of a call, in milliseconds. @default 5000 */
  readonly patienceMs?: number;
  /** Checks that the integration fails today, with the reason. One that starts to pass fails the suite. */
  readonly excused?: Readonly<Record<string, string>>;
}
