/** Feedback on what a reference names; times are microseconds, `payload` is JSON. */
export const feedbackSchema = `
CREATE TABLE feedback(
  pk INTEGER PRIMARY KEY,
  project INTEGER NOT NULL,
  id TEXT NOT NULL,
  svc_ref TEXT NOT NULL,
  creator TEXT,
  created_at INTEGER NOT NULL,
  feedback_type TEXT NOT NULL,
  payload TEXT NOT NULL,
  annotation_ref TEXT,
  runnable_ref TEXT,
  call_ref TEXT,
  trigger_ref TEXT,
  queue_id TEXT,
  user TEXT NOT NULL
);
CREATE UNIQUE INDEX feedback_id ON feedback(project, id);
CREATE INDEX feedback_ref ON feedback(project, svc_ref);
`;
