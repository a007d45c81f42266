/** The cost of one token of a model in a project; times in microseconds. */
export interface StoredCost {
  readonly project_id: string;
  readonly id: string;
  readonly llm_id: string;
  readonly prompt_token_cost: number;
  readonly completion_token_cost: number;
  /** Null: such tokens have no price of their own. */
  readonly cache_read_input_token_cost: number | null;
  readonly cache_creation_input_token_cost: number | null;
  readonly reasoning_token_cost: number | null;
  readonly prompt_token_cost_unit: string;
  readonly completion_token_cost_unit: string;
  /** The price counts for calls that started then or later. */
  readonly effective_date: number;
  readonly provider_id: string;
  readonly created_by: string;
  readonly created_at: number;
}

/** Stores prices: few per project, so that they are read together and selected by the service. */
export interface CostStore {
  /** One whose id is there already stays as it is. All of them or none where `atomicBatches` is declared. */
  create(costs: readonly StoredCost[]): Promise<void>;
  /** The prices of a project, oldest first, of one time by id. */
  list(projectId: string): Promise<StoredCost[]>;
  /** Removes prices for good; ids that are not there do no harm. */
  purge(projectId: string, ids: readonly string[]): Promise<void>;
}
