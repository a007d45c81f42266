import { buildSchema, type ExecutionResult, execute, GraphQLError, parse, validate } from 'graphql';
import { isProjectId } from '../../protocol/values/id.ts';
import { type Caller, mayUse } from '../keys/authenticate.ts';

/** A request of GraphQL over HTTP. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** The three fields that the vendor's clients ask for before they trace; it is no interface to what is stored. */
const SCHEMA = `
  type Query {
    viewer: User
    project(name: String!, entityName: String): Project
  }
  type Mutation {
    upsertModel(input: UpsertModelInput!): UpsertModelPayload
  }
  type User {
    id: ID!
    username: String
    name: String
    email: String
    entity: String
    defaultEntity: Entity
  }
  type Entity {
    id: ID!
    name: String!
  }
  type Project {
    id: ID!
    name: String!
    entityName: String!
    description: String
  }
  input UpsertModelInput {
    id: String
    name: String
    entityName: String
    description: String
    repo: String
    clientMutationId: String
  }
  type UpsertModelPayload {
    project: Project
    model: Project
    inserted: Boolean
    clientMutationId: String
  }
`;

/** Far more than clients need, and few enough that checking takes no time. */
const MAX_TOKENS = 1000;

/** Where all entities are the key's own, its programs record here unless they say otherwise. */
const ANY_ENTITY = 'local';

const schema = buildSchema(SCHEMA);

/** Answers a request for the entities of the key. What is wrong with the request stands in `errors`. */
export async function answerGraphql(request: GraphqlRequest, caller: Caller): Promise<ExecutionResult> {
  try {
    const document = parse(request.query, { maxTokens: MAX_TOKENS });
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    const { operationName, variables: variableValues } = request;
    return await execute({ schema, document, rootValue: rootOf(caller), operationName, variableValues });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

function rootOf(caller: Caller) {
  return {
    viewer: () => userOf(caller),
    project: ({ name, entityName }: { name: string; entityName?: string | null }) =>
      projectOf(caller, { name, entityName }),
    upsertModel: ({ input }: { input: UpsertModelInput }) => {
      // A project comes into being with its first record; there is nothing to make, and nothing to describe.
      const project = projectOf(caller, { name: input.name ?? input.id, entityName: input.entityName });
      return { project, model: project, inserted: false, clientMutationId: input.clientMutationId };
    },
  };
}

interface UpsertModelInput extends NamedProject {
  readonly id?: string | null;
  readonly clientMutationId?: string | null;
}

interface NamedProject {
  readonly name?: string | null | undefined;
  readonly entityName?: string | null | undefined;
}

function userOf(caller: Caller) {
  const entity = entityOf(caller);
  return {
    id: caller.userId,
    username: caller.userId,
    name: caller.userId,
    entity,
    defaultEntity: { id: entity, name: entity },
  };
}

function entityOf({ entities }: Caller): string {
  const [first = ANY_ENTITY] = entities.has('*') ? [] : entities;
  return first;
}

function projectOf(caller: Caller, { name, entityName }: NamedProject) {
  const entity = entityName || entityOf(caller);
  const projectId = `${entity}/${name ?? ''}`;
  if (!isProjectId(projectId)) throw new GraphQLError(`Cannot use "${projectId.slice(0, 300)}" as a project`);
  if (mayUse(caller, entity)) return { id: projectId, name, entityName: entity };
  // The code by which clients tell a key that may not from a project that is not.
  const extensions = { code: 'PERMISSION_ERROR' };
  throw new GraphQLError(`The API key may not use the entity "${entity}"`, { extensions });
}
