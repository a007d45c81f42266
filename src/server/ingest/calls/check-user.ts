import { TracingError } from '../../../protocol/error.ts';
import type { Caller } from '../../keys/authenticate.ts';

/** Updates, deletions, prices and feedback bear the caller's name only. */
export function checkUser(request: { readonly svc_user_id?: string | null }, caller: Caller): void {
  const userId = request.svc_user_id ?? caller.userId;
  if (userId === caller.userId) return;
  throw new TracingError('user_id_not_allowed', 'Cannot set svc_user_id: the service fills it in', {
    field: 'svc_user_id',
  });
}
