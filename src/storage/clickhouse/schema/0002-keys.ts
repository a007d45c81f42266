/** Keys of the services on this database, each as JSON; a revoked one stays, so that it never comes back. */
const KEYS = `
CREATE TABLE keys (id String, key String, ver UInt64, is_revoked UInt8)
ENGINE = ReplacingMergeTree(ver)
ORDER BY id`;

export const keysSchema: readonly string[] = [KEYS];
