/** Prices of tokens that are not plain input or output; null: the kind has none of its own. */
export const tokenPriceSchema = `
ALTER TABLE cost ADD COLUMN cache_read_input_token_cost REAL;
ALTER TABLE cost ADD COLUMN cache_creation_input_token_cost REAL;
ALTER TABLE cost ADD COLUMN reasoning_token_cost REAL;
`;
