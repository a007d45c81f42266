import { opNameOf } from '../../../protocol/ref.ts';
import type { DatabaseSync, Statement } from '../driver.ts';
import { boundText, numberOf } from '../read/text.ts';

/** Entries kept in memory; names repeat all the time and are few. */
const MAX_CACHED = 10_000;

/** Numbers of projects and ops for the writer, which makes them as they come. */
export class Names {
  readonly #insertProject: Statement;
  readonly #selectProject: Statement;
  readonly #insertOp: Statement;
  readonly #selectOp: Statement;
  readonly #projects = new Map<string, number>();
  readonly #ops = new Map<string, number>();

  constructor(database: DatabaseSync) {
    this.#insertProject = database.prepare(
      'INSERT INTO project(name) VALUES (CAST(? AS TEXT)) ON CONFLICT DO NOTHING RETURNING pk',
    );
    this.#selectProject = database.prepare('SELECT pk FROM project WHERE name = CAST(? AS TEXT)');
    this.#insertOp = database.prepare(
      'INSERT INTO op(name, label) VALUES (CAST(? AS TEXT), CAST(? AS TEXT)) ON CONFLICT DO NOTHING RETURNING pk',
    );
    this.#selectOp = database.prepare('SELECT pk FROM op WHERE name = CAST(? AS TEXT)');
  }

  project(name: string): number {
    return cached(this.#projects, name, () => {
      const bound = boundText(name);
      return numberOf((this.#selectProject.get(bound) ?? this.#insertProject.get(bound))?.['pk']) ?? 0;
    });
  }

  op(name: string): number {
    return cached(this.#ops, name, () => {
      const bound = boundText(name);
      const row = this.#selectOp.get(bound) ?? this.#insertOp.get(bound, boundText(opNameOf(name)));
      return numberOf(row?.['pk']) ?? 0;
    });
  }

  /** Numbers given in a transaction that was rolled back do not exist. */
  forget(): void {
    this.#projects.clear();
    this.#ops.clear();
  }
}

function cached(cache: Map<string, number>, name: string, find: () => number): number {
  const known = cache.get(name);
  if (known !== undefined) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const found = find();
  cache.set(alone(name), found);
  return found;
}

/** The same text, without what it was cut from: a name stays long after the request that it came in. */
function alone(text: string): string {
  return ` ${text}`.slice(1);
}
