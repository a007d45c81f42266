import type { CostStore, StoredCost } from '../../contract/costs.ts';
import type { DatabaseSync, Row, Statement } from '../driver.ts';
import type { Names } from './names.ts';
import type { Reads } from '../threads/reads.ts';
import { boundText, numberOf, textOf, textOfBlob } from '../read/text.ts';
import type { WriteClient } from '../threads/write-client.ts';

/** Prices as the service asks for them. */
export function costStore(writes: WriteClient, reads: Reads): CostStore {
  return {
    create: async (costs) => {
      await writes.send({ op: 'createCosts', costs });
    },
    list: async (projectId) => await reads.send({ op: 'listCosts', projectId }, {}),
    purge: async (projectId, ids) => {
      await writes.send({ op: 'purgeCosts', projectId, ids });
    },
  };
}

/** Writes prices; runs inside the transaction of the writer. */
export class CostTable {
  readonly #names: Names;
  readonly #insert: Statement;
  readonly #delete: Statement;

  constructor(database: DatabaseSync, names: Names) {
    this.#names = names;
    this.#insert = database.prepare(INSERT);
    this.#delete = database.prepare('DELETE FROM cost WHERE project = ? AND id IN (SELECT value FROM json_each(?))');
  }

  create(costs: readonly StoredCost[]): void {
    for (const cost of costs) {
      this.#insert.run(
        this.#names.project(cost.project_id),
        cost.id,
        boundText(cost.llm_id),
        cost.prompt_token_cost,
        cost.completion_token_cost,
        cost.cache_read_input_token_cost,
        cost.cache_creation_input_token_cost,
        cost.reasoning_token_cost,
        boundText(cost.prompt_token_cost_unit),
        boundText(cost.completion_token_cost_unit),
        cost.effective_date,
        boundText(cost.provider_id),
        boundText(cost.created_by),
        cost.created_at,
      );
    }
  }

  purge(projectId: string, ids: readonly string[]): void {
    this.#delete.run(this.#names.project(projectId), JSON.stringify(ids));
  }
}

/** The prices of a project, oldest first. */
export function selectCosts(database: DatabaseSync, projectId: string): StoredCost[] {
  return database
    .prepare(SELECT)
    .all(boundText(projectId))
    .map((row) => storedCost(row, projectId));
}

function storedCost(row: Row, projectId: string): StoredCost {
  const text = (column: string) => textOfBlob(row[column]) ?? '';
  const number = (column: string) => numberOf(row[column]) ?? 0;
  return {
    project_id: projectId,
    id: textOf(row['id']) ?? '',
    llm_id: text('llm_id'),
    prompt_token_cost: number('prompt_token_cost'),
    completion_token_cost: number('completion_token_cost'),
    cache_read_input_token_cost: numberOf(row['cache_read_input_token_cost']),
    cache_creation_input_token_cost: numberOf(row['cache_creation_input_token_cost']),
    reasoning_token_cost: numberOf(row['reasoning_token_cost']),
    prompt_token_cost_unit: text('prompt_token_cost_unit'),
    completion_token_cost_unit: text('completion_token_cost_unit'),
    effective_date: number('effective_date'),
    provider_id: text('provider_id'),
    created_by: text('created_by'),
    created_at: number('created_at'),
  };
}

const INSERT = `
INSERT INTO cost(project, id, llm_id, prompt_token_cost, completion_token_cost, cache_read_input_token_cost,
  cache_creation_input_token_cost, reasoning_token_cost, prompt_token_cost_unit, completion_token_cost_unit,
  effective_date, provider_id, created_by, created_at)
VALUES (?, ?, CAST(? AS TEXT), ?, ?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, CAST(? AS TEXT), CAST(? AS TEXT), ?)
ON CONFLICT DO NOTHING`;

const SELECT = `
SELECT id, CAST(llm_id AS BLOB) AS llm_id, prompt_token_cost, completion_token_cost,
  cache_read_input_token_cost, cache_creation_input_token_cost, reasoning_token_cost,
  CAST(prompt_token_cost_unit AS BLOB) AS prompt_token_cost_unit,
  CAST(completion_token_cost_unit AS BLOB) AS completion_token_cost_unit, effective_date,
  CAST(provider_id AS BLOB) AS provider_id, CAST(created_by AS BLOB) AS created_by, created_at
FROM cost WHERE project = (SELECT pk FROM project WHERE name = CAST(? AS TEXT))
ORDER BY created_at, id`;
