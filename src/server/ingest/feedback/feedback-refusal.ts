import { TracingError } from '../../../protocol/error.ts';

/** The error of feedback that breaks a rule in one of its fields. */
export function feedbackRefusal(field: string, reason: string): TracingError {
  return new TracingError('invalid_request', `Cannot create feedback: ${reason}`, { field });
}
