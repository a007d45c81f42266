import { TracingError } from '../protocol/error.ts';
import type {
  ObjCreateRequest,
  ObjCreateResponse,
  ObjDeleteRequest,
  ObjDeleteResponse,
  ObjectVersion,
  ObjReadRequest,
  ObjReadResponse,
  ObjsQueryRequest,
  ObjsQueryResponse,
} from '../protocol/object.ts';
import type { InProject } from './calls.ts';
import type { Requester, RequestOptions } from './request.ts';

export type NewObject = InProject<ObjCreateRequest['obj']>;

export interface ObjectsApi {
  /** `/obj/create`: the digest and the name it is stored under. */
  create(object: NewObject, options?: RequestOptions): Promise<ObjCreateResponse>;
  /**
   * `/obj/read`: the version named by a digest, `latest` or `v<N>`; `undefined` when there never was one, and the
   * error `object_deleted` when there no longer is one.
   */
  get(
    objectId: string,
    version: string,
    options?: RequestOptions & Omit<InProject<ObjReadRequest>, 'object_id' | 'digest'>,
  ): Promise<ObjectVersion | undefined>;
  /** `/objs/query`: versions that are not deleted; without `sort_by` in order of creation. */
  query(request?: InProject<ObjsQueryRequest>, options?: RequestOptions): Promise<ObjectVersion[]>;
  /** `/obj/delete`: the versions in `digests`, all or none of them, or without any every version of the name. */
  delete(
    objectId: string,
    options?: RequestOptions & Omit<InProject<ObjDeleteRequest>, 'object_id'>,
  ): Promise<ObjDeleteResponse>;
}

export function createObjectReader(requester: Requester, projectOf: (given: string | undefined) => string): ObjectsApi {
  return {
    async create(object, { signal } = {}) {
      const body = { obj: { ...object, project_id: projectOf(object.project_id) } };
      const answer = await requester.sendForJson({ method: 'POST', path: '/obj/create', body, signal });
      return answer as ObjCreateResponse;
    },
    async get(objectId, version, { signal, ...request } = {}) {
      const body = { ...request, project_id: projectOf(request.project_id), object_id: objectId, digest: version };
      const answer = await requester
        .sendForJson({ method: 'POST', path: '/obj/read', body, signal })
        .catch(undefinedIfMissing);
      return (answer as ObjReadResponse | undefined)?.obj;
    },
    async query(request = {}, { signal } = {}) {
      const body = { ...request, project_id: projectOf(request.project_id) };
      const answer = await requester.sendForJson({ method: 'POST', path: '/objs/query', body, signal });
      return (answer as ObjsQueryResponse).objs;
    },
    async delete(objectId, { signal, ...request } = {}) {
      const body = { ...request, project_id: projectOf(request.project_id), object_id: objectId };
      const answer = await requester.sendForJson({ method: 'POST', path: '/obj/delete', body, signal });
      return answer as ObjDeleteResponse;
    },
  };
}

/** Turns "not found" into `undefined`; every other failure stays one. */
export function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof TracingError && error.code === 'not_found') return undefined;
  throw error;
}
