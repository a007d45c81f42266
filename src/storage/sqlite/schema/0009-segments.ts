/**
 * Calls whose numbers differ in their last twelve bits only are a segment. What pages ask of calls is kept for a segment in
 * columns, which are right as long as the segment has not changed since: `changes` counts the commits that changed it.
 * They are made when there is time, so a segment may have none. Times are those of the starts in it.
 */
export const segmentSchema = `
CREATE TABLE segment(number INTEGER PRIMARY KEY, changes INTEGER NOT NULL);
CREATE TABLE segment_columns(
  number INTEGER PRIMARY KEY,
  changes INTEGER NOT NULL,
  first INTEGER,
  last INTEGER,
  columns BLOB NOT NULL
);
WITH RECURSIVE known(number) AS (
  SELECT 0 WHERE EXISTS (SELECT 1 FROM calls)
  UNION ALL SELECT number + 1 FROM known WHERE number < (SELECT max(pk) >> 12 FROM calls)
)
INSERT INTO segment(number, changes) SELECT number, 0 FROM known;
`;
