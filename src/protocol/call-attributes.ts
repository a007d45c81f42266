import type { JsonValue } from './values/canonical-json.ts';
import { parseJson, stringifyJson } from './values/json.ts';

/** Attributes as reads, queries and orders see them: a call that came as a span of OpenTelemetry shows it there. */
export function shownAttributes(attributes: string, otelDump: string | null): string {
  return otelDump === null ? attributes : withMember(attributes, 'otel_span', otelDump);
}

/** Adds a member to the text of an object, or puts it in place of the one of that name. */
export function withMember(text: string, name: string, member: string): string {
  const others = text.includes(`"${name}"`) ? withoutMember(text, name) : text;
  return others === '{}' ? `{"${name}":${member}}` : `${others.slice(0, -1)},"${name}":${member}}`;
}

function withoutMember(text: string, name: string): string {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return '{}';
  const { [name]: _replaced, ...others } = value as { readonly [key: string]: JsonValue };
  return stringifyJson(others);
}
