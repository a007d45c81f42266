/** The request that deleted each version: one that comes again is answered with what it deleted. */
export const deletionSchema = `
ALTER TABLE object ADD COLUMN deletion TEXT;
`;
