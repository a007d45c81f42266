/** Settings of all services on the data, each as JSON. */
export const settingsSchema = 'CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID';
