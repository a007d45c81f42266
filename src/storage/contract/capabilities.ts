/**
 * Capabilities of an engine beyond the contracts that every engine keeps. Absent means no. The conformance kit runs the
 * contracts of a capability where it is declared, and the service decides what an absent one means.
 */
export interface Capabilities {
  /**
   * Written data is there when the storage is opened again: however its `process` has ended, or after a `power` cut,
   * too. An engine that is told which of them declares the one that it keeps.
   */
  readonly durable?: 'process' | 'power';
  /** A read that comes in chunks sees the moment in which it began. */
  readonly snapshots?: true;
  /** A write of many records is seen whole or not at all, and one that rejects has written none of them. */
  readonly atomicBatches?: true;
  /** Every read that begins after a write has resolved sees it. Without it a storage MUST have `catchUp`. */
  readonly readYourWrites?: true;
}
