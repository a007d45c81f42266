/** Prices of one token; times are microseconds. */
export const costSchema = `
CREATE TABLE cost(
  project INTEGER NOT NULL,
  id TEXT NOT NULL,
  llm_id TEXT NOT NULL,
  prompt_token_cost REAL NOT NULL,
  completion_token_cost REAL NOT NULL,
  prompt_token_cost_unit TEXT NOT NULL,
  completion_token_cost_unit TEXT NOT NULL,
  effective_date INTEGER NOT NULL,
  provider_id TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY(project, id)
) WITHOUT ROWID;
`;
