import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { stringifyJson } from '../../protocol/values/json.ts';
import type { Translate } from './translate-body.ts';
import { isJsonObject } from '../../protocol/values/json-object.ts';

/**
 * Members that the vendor's newest clients add to every feedback they send, with what they hold when nobody set them.
 * Such a member says nothing; one that holds anything else is an unknown key.
 */
const IDLE_MEMBERS: Readonly<Record<string, JsonValue>> = {
  scorer_tags: [],
  scorer_tag_reasons: {},
  scorer_tag_confidences: {},
  scorer_ratings: {},
  scorer_rating_reasons: {},
  scorer_rating_confidences: {},
  span_agent_name: '',
  span_agent_version: '',
  span_status_code: 'UNSET',
  span_conversation_id: '',
  span_trace_id: '',
  scorer_trace_id: '',
};

/** A feedback request without the members that say nothing. */
export const withoutIdleMembers: Translate = (body) => {
  if (!isJsonObject(body)) return body;
  const isIdle = (name: string, member: JsonValue): boolean =>
    Object.hasOwn(IDLE_MEMBERS, name) && stringifyJson(member) === stringifyJson(IDLE_MEMBERS[name] ?? null);
  return Object.fromEntries(Object.entries(body).filter(([name, member]) => !isIdle(name, member)));
};
