import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { Dialect } from '../../../protocol/spelling/dialect.ts';
import { SERVED, type ServedName } from '../../../protocol/endpoints.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { Translator } from '../../../protocol/spelling/translator.ts';
import { translatorOf } from '../../../protocol/spelling/translator.ts';
import { endpointDialect } from '../../spelling/endpoint-spelling.ts';
import { type ListRule, listRules } from './list-limits.ts';
import { compileRequest } from './request-schema.ts';

/** How the bodies of an endpoint are read. */
export interface BodyReading {
  /** The rules for lists, known before the body is parsed. */
  readonly lists: ListRule | undefined;
  /** The body in the native spelling; throws where it breaks the schema. */
  readonly check: (value: JsonValue) => JsonValue;
}

/** Made with the first request, for nobody pays for what is not asked. */
export function bodyReading(name: ServedName, limits: Limits, dialect: Dialect | undefined): BodyReading {
  const endpoint = SERVED[name];
  const key: Translator['key'] | undefined = dialect && translatorOf(dialect).key;
  const lists = listRules(name, limits, key);
  const check = 'request' in endpoint ? compileRequest(endpoint.request, lists) : () => undefined;
  return {
    lists,
    check: (value) => {
      const body = dialect ? endpointDialect(name, dialect).request(value) : value;
      check(body);
      return body;
    },
  };
}
