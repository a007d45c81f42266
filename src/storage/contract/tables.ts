import type { TablePlan } from './plan.ts';
import type { ReadOptions } from './reads.ts';

/** A validated row; `val` is the canonical text of an object, which `digest` is the digest of. */
export interface NewRow {
  readonly digest: string;
  readonly val: string;
}

export interface NewTable {
  readonly project_id: string;
  /** Digest over the row digests. */
  readonly digest: string;
  /** One for each row, in order; a row may be there more than once. */
  readonly row_digests: readonly string[];
  /** The rows that may not be stored yet, in any order; one may be there more than once. */
  readonly rows: Iterable<NewRow>;
}

/** Rows that follow one another in a table; `from` counts from 0, and there is one at least. */
export interface RowRun {
  readonly from: number;
  readonly count: number;
}

/** A table whose rows are mostly those of another one of its project. */
export interface DerivedTable {
  readonly project_id: string;
  /** Digest over the row digests. */
  readonly digest: string;
  readonly base_digest: string;
  /** The rows in order: runs of the base, each of them behind the one before it there, and rows that are given. */
  readonly pieces: readonly (RowRun | NewRow)[];
}

export interface StoredRow extends NewRow {
  /** Place in the table, from 0. */
  readonly original_index: number;
}

export interface TableStats {
  readonly digest: string;
  readonly count: number;
  /** Canonical bytes of all rows, repeated ones as often as they are there. */
  readonly size_bytes: number;
}

/** Stores tables, which never change, and their rows, which tables of a project share. */
export interface TableStore {
  /** Storing a table again is harmless. Rejects with `not_found` when a row is neither given nor stored. */
  create(table: NewTable): Promise<void>;
  /**
   * The same for a table that is made of another. Rejects with `not_found` when there is no such base, and with any error when
   * a run goes beyond its end, which no service asks for: then nothing is stored.
   */
  derive(table: DerivedTable): Promise<void>;
  /** The digests of the rows in order, or `undefined` when there is no such table. */
  getRowDigests(projectId: string, digest: string): Promise<readonly string[] | undefined>;
  /** Rows of a plan in its order, in chunks of bounded size; an unknown table has none. */
  query(plan: TablePlan, options?: ReadOptions): AsyncIterable<readonly StoredRow[]>;
  /** One entry for each of the tables that is known, in the order of the digests. */
  stats(projectId: string, digests: readonly string[]): Promise<TableStats[]>;
}
