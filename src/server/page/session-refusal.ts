import { TracingError } from '../../protocol/error.ts';

/** Why a page has no session, as `session` of the answer says it. */
export type SessionRefusal = 'missing' | 'ended' | 'expired' | 'revoked' | 'invalid';

const REASONS: Readonly<Record<SessionRefusal, string>> = {
  missing: 'Cannot tell who asks: there is no session, log in with a link of "spoor open" or a key',
  ended: 'The session is over: it was ended, or the service was started again',
  expired: 'The session is over: it was not used for long, or is too old',
  revoked: 'The session is over: its key was revoked',
  invalid: 'Cannot log in: the link was used already, is too old, or was made before the service was started again',
};

export function sessionRefused(session: SessionRefusal): TracingError {
  return new TracingError('unauthenticated', REASONS[session], { extra: { session } });
}
