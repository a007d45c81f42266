// docs/decisions/0011-dialect-names-are-exchanged.md says why.
import { Type, type TSchema } from '@sinclair/typebox';
import { Call } from '../../protocol/call.ts';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import type { Dialect } from '../../protocol/spelling/dialect.ts';
import { SERVED, type Endpoint, type ServedName } from '../../protocol/endpoints.ts';
import { parseJson, stringifyJson } from '../../protocol/values/json.ts';
import { parseRef } from '../../protocol/ref.ts';
import { isList, mapItems, mapMembers, translatorOf } from '../../protocol/spelling/translator.ts';
import type { JsonText } from '../../storage/contract/json-text.ts';
import { withoutIdleMembers } from './idle-members.ts';
import {
  bodyTranslator,
  commonPositions,
  feedbackTranslator,
  type Positions,
  type Translate,
} from './translate-body.ts';
import { isJsonObject } from '../../protocol/values/json-object.ts';

/** The two ways of an endpoint's bodies across the border of a dialect. */
export interface EndpointDialect {
  readonly request: Translate;
  /** A whole answer, or one line of a stream, as JSON; `request` is the native one. */
  readonly answer: (text: JsonText, request: JsonValue) => JsonText;
}

/** Answers of an endpoint under its other path: one body instead of a stream. */
const OTHER_ANSWERS: Partial<Record<ServedName, TSchema>> = {
  callsStreamQuery: Type.Object({ calls: Type.Array(Call) }),
};

const made = new Map<string, EndpointDialect>();

/** Made when it is first needed: nobody pays for a dialect that is not spoken. */
export function endpointDialect(name: ServedName, dialect: Dialect): EndpointDialect {
  const key = `${dialect.name} ${name}`;
  const known = made.get(key) ?? make(name, dialect);
  made.set(key, known);
  return known;
}

function make(name: ServedName, dialect: Dialect): EndpointDialect {
  const endpoint: Endpoint = SERVED[name];
  const translator = translatorOf(dialect);
  const positions = commonPositions(translator);
  const answers = [endpoint.response, OTHER_ANSWERS[name] ?? []].flat();
  const answer = bodyTranslator(answers, translator, {
    ...positions,
    ...(name === 'feedbackQuery' && { result: listOf(feedbackTranslator(translator)) }),
  });
  const call = bodyTranslator([Call], translator, positions);
  const request = bodyTranslator(endpoint.request ? [endpoint.request] : [], translator, {
    ...positions,
    ...(name === 'tableQuery' && ROWS_ARE_THE_USERS),
  });
  const tidy = TIDYING[name];
  return {
    request: tidy ? (body) => request(tidy(body)) : request,
    answer: (text, asked) => {
      const body = parseJson(text);
      return stringifyJson(name === 'refsReadBatch' ? readRefs(body, asked, call, translator.value) : answer(body));
    },
  };
}

/** Translations that take idle members out of requests before they are read. */
const TIDYING: Partial<Record<ServedName, Translate>> = {
  feedbackCreate: withoutIdleMembers,
  feedbackReplace: withoutIdleMembers,
  feedbackBatchCreate: (body) =>
    isJsonObject(body)
      ? mapMembers(
          body,
          (name) => name,
          (member, name) => (name === 'batch' && isList(member) ? mapItems(member, withoutIdleMembers) : member),
        )
      : body,
};

/** The fields that rows are sorted by are keys of users. */
const ROWS_ARE_THE_USERS: Positions = { field: (path) => path };

function listOf(item: Translate): Translate {
  return (value) => (isList(value) ? mapItems(value, item) : value);
}

/** A value that the reference of a call names is a record, every other one a value of a user. */
function readRefs(body: JsonValue, request: JsonValue, call: Translate, value: Translate): JsonValue {
  const refs = isJsonObject(request) ? request['refs'] : undefined;
  if (!isJsonObject(body) || refs === undefined || !isList(refs)) return value(body);
  const translateAll = (vals: JsonValue): JsonValue =>
    isList(vals) ? vals.map((val, index) => (isCallRef(refs[index]) ? call : value)(val)) : vals;
  return mapMembers(body, (name) => name, translateAll);
}

function isCallRef(text: JsonValue | undefined): boolean {
  if (typeof text !== 'string') return false;
  const ref = parseRef(text);
  return ref.kind === 'call' && ref.extra.length === 0;
}
