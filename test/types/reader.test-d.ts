import type { Static, TSchema } from '@sinclair/typebox';
import { expectTypeOf, test } from 'vitest';
import type { ENDPOINTS, EndpointName } from '../../src/protocol/endpoints.ts';
import type { InProject } from '../../src/reader/calls.ts';
import type { Reader } from '../../src/reader/reader.ts';

type RequestOf<Name extends EndpointName> = (typeof ENDPOINTS)[Name] extends { request: infer Schema }
  ? Static<Extract<Schema, TSchema>>
  : never;
type ResponseOf<Name extends EndpointName> = Static<(typeof ENDPOINTS)[Name]['response']>;

type Argument<Method, Place extends number = 0> = Method extends (...parameters: infer Parameters) => unknown
  ? Required<Parameters> extends { [Key in Place]: infer Parameter }
    ? Parameter
    : never
  : never;
type Result<Method> = Method extends (...parameters: never[]) => infer Returned
  ? Returned extends AsyncGenerator<infer Item, void>
    ? Item
    : Awaited<Returned>
  : never;

/** What every method takes beside its request. */
type WithoutOptions<T> = Omit<T, 'signal'>;

/**
 * For each endpoint: what its method takes and gives, and what the schema says of that. Names that a method takes apart
 * are left out of the request, and a method gives the one key of an answer that has only one.
 */
interface Methods {
  callStart: [Argument<Reader['calls']['start']>, InProject<RequestOf<'callStart'>['start']>];
  callEnd: [Argument<Reader['calls']['end']>, InProject<RequestOf<'callEnd'>['end']>];
  callUpsertBatch: [
    Argument<Reader['calls']['write']>[number]['req'],
    (
      | { readonly start: InProject<RequestOf<'callStart'>['start']> }
      | { readonly end: InProject<RequestOf<'callEnd'>['end']> }
    ),
  ];
  callsDelete: [Argument<Reader['calls']['delete']>, Readonly<RequestOf<'callsDelete'>['call_ids']>];
  callUpdate: [Argument<Reader['calls']['rename'], 1>, NonNullable<RequestOf<'callUpdate'>['display_name']>];
  callRead: [WithoutOptions<Argument<Reader['calls']['get'], 1>>, Omit<InProject<RequestOf<'callRead'>>, 'id'>];
  callsQueryStats: [Argument<Reader['calls']['stats']>, InProject<RequestOf<'callsQueryStats'>>];
  callsStreamQuery: [Argument<Reader['calls']['query']>, InProject<RequestOf<'callsStreamQuery'>>];
  costCreate: [Argument<Reader['costs']['create']>, RequestOf<'costCreate'>['costs']];
  costQuery: [Argument<Reader['costs']['query']>, InProject<RequestOf<'costQuery'>>];
  costPurge: [Argument<Reader['costs']['purge']>, readonly string[]];
  feedbackCreate: [Argument<Reader['feedback']['create']>, InProject<RequestOf<'feedbackCreate'>>];
  feedbackQuery: [Argument<Reader['feedback']['query']>, InProject<RequestOf<'feedbackQuery'>>];
  feedbackPurge: [Argument<Reader['feedback']['purge']>, readonly string[]];
  feedbackReplace: [Argument<Reader['feedback']['replace']>, InProject<RequestOf<'feedbackReplace'>>];
  fileCreate: [Argument<Reader['files']['create']>['name'], RequestOf<'fileCreate'>['name']];
  fileContent: [Argument<Reader['files']['get']>, RequestOf<'fileContent'>['digest']];
  filesQueryStats: [
    WithoutOptions<Argument<Reader['files']['stats']>>,
    WithoutOptions<InProject<RequestOf<'filesQueryStats'>>>,
  ];
  objCreate: [Argument<Reader['objects']['create']>, InProject<RequestOf<'objCreate'>['obj']>];
  objRead: [
    WithoutOptions<Argument<Reader['objects']['get'], 2>>,
    Omit<InProject<RequestOf<'objRead'>>, 'object_id' | 'digest'>,
  ];
  objsQuery: [Argument<Reader['objects']['query']>, InProject<RequestOf<'objsQuery'>>];
  objDelete: [
    WithoutOptions<Argument<Reader['objects']['delete'], 1>>,
    Omit<InProject<RequestOf<'objDelete'>>, 'object_id'>,
  ];
  otelExportTraces: [Argument<Reader['otel']['exportTraces']>, RequestOf<'otelExportTraces'>];
  refsReadBatch: [Argument<Reader['refs']['read']>, Readonly<RequestOf<'refsReadBatch'>['refs']>];
  health: [never, never];
  version: [never, never];
  geolocate: [Argument<Reader['service']['geolocate']>, string];
  serverInfo: [never, never];
  tableCreate: [Argument<Reader['tables']['create']>, InProject<RequestOf<'tableCreate'>['table']>];
  tableUpdate: [Argument<Reader['tables']['update'], 1>, RequestOf<'tableUpdate'>['updates']];
  tableQuery: [Argument<Reader['tables']['query'], 1>, Omit<InProject<RequestOf<'tableQuery'>>, 'digest'>];
  tableQueryStats: [Argument<Reader['tables']['count']>, RequestOf<'tableQueryStats'>['digest']];
  tableQueryStatsBatch: [
    WithoutOptions<Argument<Reader['tables']['stats'], 1>>,
    Omit<InProject<RequestOf<'tableQueryStatsBatch'>>, 'digests'>,
  ];
  threadsStreamQuery: [Argument<Reader['threads']['query']>, InProject<RequestOf<'threadsStreamQuery'>>];
}

interface Answers {
  callStart: [Result<Reader['calls']['start']>, ResponseOf<'callStart'>];
  callEnd: [Result<Reader['calls']['end']>, void];
  callUpsertBatch: [Result<Reader['calls']['write']>, ResponseOf<'callUpsertBatch'>['res']];
  callsDelete: [Result<Reader['calls']['delete']>, ResponseOf<'callsDelete'>['num_deleted']];
  callUpdate: [Result<Reader['calls']['rename']>, void];
  callRead: [Result<Reader['calls']['get']>, NonNullable<ResponseOf<'callRead'>['call']> | undefined];
  callsQueryStats: [Result<Reader['calls']['stats']>, ResponseOf<'callsQueryStats'>];
  callsStreamQuery: [Result<Reader['calls']['query']>, ResponseOf<'callsStreamQuery'>];
  costCreate: [Result<Reader['costs']['create']>, ResponseOf<'costCreate'>['ids']];
  costQuery: [Result<Reader['costs']['query']>, ResponseOf<'costQuery'>['results']];
  costPurge: [Result<Reader['costs']['purge']>, void];
  feedbackCreate: [Result<Reader['feedback']['create']>, ResponseOf<'feedbackCreate'>];
  feedbackQuery: [Result<Reader['feedback']['query']>, ResponseOf<'feedbackQuery'>['result']];
  feedbackPurge: [Result<Reader['feedback']['purge']>, void];
  feedbackReplace: [Result<Reader['feedback']['replace']>, ResponseOf<'feedbackReplace'>];
  fileCreate: [Result<Reader['files']['create']>, ResponseOf<'fileCreate'>['digest']];
  fileContent: [Result<Reader['files']['get']>, Uint8Array | undefined];
  filesQueryStats: [Result<Reader['files']['stats']>, ResponseOf<'filesQueryStats'>];
  objCreate: [Result<Reader['objects']['create']>, ResponseOf<'objCreate'>];
  objRead: [Result<Reader['objects']['get']>, ResponseOf<'objRead'>['obj'] | undefined];
  objsQuery: [Result<Reader['objects']['query']>, ResponseOf<'objsQuery'>['objs']];
  objDelete: [Result<Reader['objects']['delete']>, ResponseOf<'objDelete'>];
  otelExportTraces: [Result<Reader['otel']['exportTraces']>, ResponseOf<'otelExportTraces'>];
  refsReadBatch: [Result<Reader['refs']['read']>, ResponseOf<'refsReadBatch'>['vals']];
  health: [Result<Reader['service']['health']>, ResponseOf<'health'>];
  version: [Result<Reader['service']['version']>, ResponseOf<'version'>];
  geolocate: [Result<Reader['service']['geolocate']>, ResponseOf<'geolocate'>];
  serverInfo: [Result<Reader['service']['info']>, ResponseOf<'serverInfo'>];
  tableCreate: [Result<Reader['tables']['create']>, ResponseOf<'tableCreate'>];
  tableUpdate: [Result<Reader['tables']['update']>, ResponseOf<'tableUpdate'>];
  tableQuery: [Result<Reader['tables']['query']>, ResponseOf<'tableQuery'>['rows']];
  tableQueryStats: [Result<Reader['tables']['count']>, ResponseOf<'tableQueryStats'>['count']];
  tableQueryStatsBatch: [Result<Reader['tables']['stats']>, ResponseOf<'tableQueryStatsBatch'>['tables']];
  threadsStreamQuery: [Result<Reader['threads']['query']>, ResponseOf<'threadsStreamQuery'>];
}

/** Exactly the same type: neither is `any`, and no key is optional in one of them only. */
// The parameter is what makes the compiler compare the types as they are written.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type IsSame<A, B> = (<T>() => T extends Shape<A> ? 1 : 2) extends <T>() => T extends Shape<B> ? 1 : 2 ? true : [A, B];
/** Intersections are written out, so that equal ones are the same. */
type Shape<T> = T extends readonly unknown[] ? T : T extends object ? { [Key in keyof T]: T[Key] } : T;

type Differences<Pairs> = {
  [
    Name in keyof Pairs as Pairs[Name] extends [infer A, infer B] ? (IsSame<A, B> extends true ? never : Name) : Name
  ]: Pairs[Name];
};

test('every endpoint has a method', () => {
  expectTypeOf<keyof Methods>().toEqualTypeOf<EndpointName>();
  expectTypeOf<keyof Answers>().toEqualTypeOf<EndpointName>();
});

test('every method takes what the schema of its endpoint takes', () => {
  expectTypeOf<Differences<Methods>>().toEqualTypeOf<{}>();
});

test('every method gives what the schema of its endpoint gives', () => {
  expectTypeOf<Differences<Answers>>().toEqualTypeOf<{}>();
});
