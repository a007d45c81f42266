/**
 * What is known of a goal that is not reached: what a profile shows, what was tried, and what came of it, in sentences
 * that were measured. Written by hand, under the name that `nameOf` gives the goal, such as `small-async addedUs upsert-fast`;
 * the page shows a note as long as its goal is not reached.
 */
export const NOTES: Readonly<Record<string, string>> = {};
