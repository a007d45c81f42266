import { bind, sql, type Sql } from '../../sql/sql.ts';
import type { Connection, Row } from '../connection.ts';
import { bindTexts } from '../statement.ts';
import { goneRow } from './call-rows.ts';
import { inParts } from './in-parts.ts';
import { grouped } from './grouped.ts';
import { nextVersion } from './versions.ts';

/** A call as its key tells it. */
interface Linked {
  readonly id: string;
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly started_at: number;
  readonly ver: string;
  readonly is_gone: number;
}

/** Levels that are asked for one by one; what goes deeper is looked for among all calls of the project. */
const MAX_LEVELS = 12;

/** The same of a look while no group is written, and of calls whose children it looks for at once: it ends soon. */
const MAX_LEVELS_ALONE = 4;
const MAX_PARENTS_ALONE = 1000;

const GONE = { revision: undefined, isDeleted: true };

/** Visible calls that are named, and all below them, which a delete hides. */
export class CallsBelow {
  readonly #connection: Connection;
  readonly #projectId: string;
  readonly #named: ReadonlySet<string>;
  /** By id; of those that are gone, too, as others may be below them. */
  readonly #reached = new Map<string, Linked>();
  /** Reached calls below which nobody has looked yet. */
  #parents: readonly string[] = [];

  constructor(connection: Connection, projectId: string, named: readonly string[]) {
    this.#connection = connection;
    this.#projectId = projectId;
    this.#named = new Set(named);
  }

  /** Looks for all of them. Most of what is below a call is in its trace, so that is looked at first. */
  async look(signal: AbortSignal): Promise<void> {
    const named = await this.#readIds([...this.#named], signal);
    const roots = named.filter(isVisible);
    for (const root of roots) this.#reached.set(root.id, root);
    const traces = [...new Set(roots.map(({ trace_id: traceId }) => traceId))];
    this.#addBelow(await inParts(traces, (part) => this.#read(sql`trace_id IN ${bindTexts(part)}`, signal)));
    await this.#lookBelow([...this.#reached.keys()], signal);
  }

  /** Looks at calls that were written since, and for what is below them: a call that comes late may have others below it that were there. */
  async lookAt(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const added = await this.#add(ids, signal);
    const parents = [...this.#parents, ...added];
    await this.#lookBelow(parents, signal);
    this.#parents = [];
  }

  /** The same as far as it takes little; false where there may be more, which the next look is for. */
  async lookSoon(ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    this.#parents = [...this.#parents, ...(await this.#add(ids, signal))];
    for (let level = 0; this.#parents.length > 0; level++) {
      if (level === MAX_LEVELS_ALONE || this.#parents.length > MAX_PARENTS_ALONE) return false;
      this.#parents = await this.#levelBelow(this.#parents, signal);
    }
    return true;
  }

  /** Adds those of calls that were written since which are to go. Returns the ids of those that were not reached before. */
  async #add(ids: readonly string[], signal: AbortSignal): Promise<string[]> {
    const since = await this.#readIds(ids, signal);
    const added: string[] = [];
    for (const call of since) {
      const isKnown = this.#reached.has(call.id);
      if (!isKnown && !(this.#named.has(call.id) && isVisible(call))) continue;
      // Rows of greater numbers stand above a deletion that does not know of them.
      this.#reached.set(call.id, call);
      if (!isKnown) added.push(call.id);
    }
    for (const id of this.#addBelow(since)) added.push(id);
    return added;
  }

  /** Hides them for good. Returns the ids of those that became deleted. */
  async hide(): Promise<string[]> {
    const gone = [...this.#reached.values()].filter(isVisible).map((call) => ({
      call,
      version: nextVersion(BigInt(call.ver), GONE),
    }));
    await this.#connection.insert(
      'calls',
      gone.map(({ call, version }) => goneRow(this.#projectId, call.id, call.started_at, version)),
    );
    await this.#connection.insert(
      'call_keys',
      gone.map(({ call, version }): Row => ({
        ...call,
        project_id: this.#projectId,
        ver: String(version),
        is_gone: 1,
      })),
    );
    return gone.map(({ call }) => call.id);
  }

  /** Adds all that is below some calls, wherever it is in the project. */
  async #lookBelow(ids: readonly string[], signal: AbortSignal): Promise<void> {
    let parents = ids;
    for (let level = 0; parents.length > 0; level++) {
      if (level === MAX_LEVELS) return void this.#addBelow(await this.#read(sql`parent_id IS NOT NULL`, signal));
      parents = await this.#levelBelow(parents, signal);
    }
  }

  async #levelBelow(parents: readonly string[], signal: AbortSignal): Promise<string[]> {
    return this.#addBelow(await inParts(parents, (part) => this.#read(sql`parent_id IN ${bindTexts(part)}`, signal)));
  }

  /** Adds all that is below what was reached, among these calls. Returns the ids of those that were not reached before. */
  #addBelow(calls: readonly Linked[]): string[] {
    const children = grouped(calls, ({ parent_id: parentId }) => parentId);
    const added: string[] = [];
    const addChildren = (id: string | null) => {
      for (const child of children.get(id) ?? []) {
        if (this.#reached.has(child.id)) continue;
        this.#reached.set(child.id, child);
        added.push(child.id);
      }
    };
    for (const id of children.keys()) if (id !== null && this.#reached.has(id)) addChildren(id);
    // The list grows while it is gone through.
    for (const id of added) addChildren(id);
    return added;
  }

  async #readIds(ids: readonly string[], signal: AbortSignal): Promise<Linked[]> {
    return await inParts(ids, (part) => this.#read(sql`id IN ${bindTexts(part)}`, signal));
  }

  async #read(condition: Sql, signal: AbortSignal): Promise<Linked[]> {
    return await this.#connection.all<Linked>(
      sql`SELECT id, trace_id, parent_id, started_at, toString(k.ver) AS ver, is_gone FROM call_keys AS k FINAL
        WHERE project_id = ${bind(this.#projectId)} AND ${condition}`,
      // Ended and asked for again, it would take as long again.
      { deadlineMs: Infinity, signal },
    );
  }
}

function isVisible({ is_gone: isGone }: Linked): boolean {
  return isGone === 0;
}
