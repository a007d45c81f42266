/** Revisions of the ends of a call: none replaces one of a higher revision. */
export const endRevisionSchema = `
ALTER TABLE calls ADD COLUMN end_revision INTEGER NOT NULL DEFAULT 0;
`;
