/**
 * Calls without an end, of which there are few: how many of a million never end is asked with every list, and took as long as
 * all else of it. A call is here between its two halves only, and not at all where both come together.
 */
export const runningCallsSchema =
  'CREATE INDEX calls_running ON calls(project, started_at) WHERE ended_at IS NULL AND exception IS NULL';
