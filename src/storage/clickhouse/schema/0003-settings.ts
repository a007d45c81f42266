/** Settings of all services on the database, each as JSON. */
const SETTINGS = `
CREATE TABLE settings (name String, value String, ver UInt64)
ENGINE = ReplacingMergeTree(ver)
ORDER BY name`;

export const settingsSchema: readonly string[] = [SETTINGS];
