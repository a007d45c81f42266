/** A schema as OpenAPI 3.1 has it: JSON Schema 2020-12, the keywords that we use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema | false;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
}

/** The keywords of TypeBox schemas that our protocol is made of. */
export interface SourceSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly SourceSchema[];
  readonly items?: SourceSchema | readonly SourceSchema[];
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, SourceSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, SourceSchema>>;
  readonly additionalProperties?: boolean;
}

export interface SchemaNames {
  /** Name of the component a schema is, if it is one. */
  nameOf(schema: SourceSchema): string | undefined;
  /** The meaning of a field; `path` is made of the component, the names inside it, and `[]` for items. */
  describe(path: string): string | undefined;
}

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Turns the schema of a component into one that can be published; components inside it become references. */
export function publishSchema(schema: SourceSchema, name: string, names: SchemaNames): JsonSchema {
  const description = names.describe(name);
  return { ...(description === undefined ? {} : { description }), ...new Publisher(names).whole(schema, name) };
}

class Publisher {
  readonly #names: SchemaNames;

  constructor(names: SchemaNames) {
    this.#names = names;
  }

  /** A schema in its place: a reference when it has a name. */
  part(schema: SourceSchema, path: string): JsonSchema {
    if (schema.$ref !== undefined) return refTo(schema.$ref);
    const name = this.#names.nameOf(schema);
    return name === undefined ? this.whole(schema, path) : refTo(name);
  }

  whole(schema: SourceSchema, path: string): JsonSchema {
    if (schema.anyOf) return this.#union(schema.anyOf, path);
    const { type, format, const: literal, default: value } = schema;
    const more = value === undefined ? {} : { default: value };
    if (literal !== undefined) return { type: typeof literal, const: literal, ...more };
    switch (type) {
      case undefined:
        return {};
      case 'object':
        return this.#object(schema, path);
      case 'array':
        return this.#array(schema, path);
      case 'integer':
        // The format of integers that a double holds exactly: others are refused.
        return { type, format: 'double-int', ...more };
      default:
        return { type, ...(format === undefined ? {} : { format }), ...more };
    }
  }

  #object({ properties, required, patternProperties, additionalProperties }: SourceSchema, path: string): JsonSchema {
    const [member] = Object.values(patternProperties ?? {});
    if (member) {
      const values = this.part(member, `${path}.*`);
      return { type: 'object', ...(Object.keys(values).length === 0 ? {} : { additionalProperties: values }) };
    }
    const members = Object.entries(properties ?? {}).map(([key, value]) => [key, this.#field(value, `${path}.${key}`)]);
    return {
      type: 'object',
      properties: Object.fromEntries(members) as Record<string, JsonSchema>,
      ...(required && required.length > 0 ? { required } : {}),
      ...(additionalProperties === false ? { additionalProperties } : {}),
    };
  }

  #field(schema: SourceSchema, path: string): JsonSchema {
    const description = this.#names.describe(path);
    return { ...(description === undefined ? {} : { description }), ...this.part(schema, path) };
  }

  #array({ items = {}, minItems }: SourceSchema, path: string): JsonSchema {
    if (isTuple(items)) {
      const prefixItems = items.map((item) => this.part(item, `${path}[]`));
      return { type: 'array', prefixItems, items: false, minItems: items.length, maxItems: items.length };
    }
    return { type: 'array', items: this.part(items, `${path}[]`), ...(minItems === undefined ? {} : { minItems }) };
  }

  #union(options: readonly SourceSchema[], path: string): JsonSchema {
    const present = options.filter(({ type }) => type !== 'null');
    const schema = this.#present(present, path);
    return present.length === options.length ? schema : orNull(schema);
  }

  #present(options: readonly SourceSchema[], path: string): JsonSchema {
    const [only] = options;
    if (only && options.length === 1) return this.part(only, path);
    const literals = options.map((option) => option.const);
    if (!literals.includes(undefined)) return { type: 'string', enum: literals };
    const parts = options.map((option) => this.part(option, path));
    const tag = tagOf(options);
    if (tag === undefined) return { oneOf: parts };
    const mapping = options.map((option, index) => [String(option.properties?.[tag]?.const), parts[index]?.$ref ?? '']);
    return {
      oneOf: parts,
      discriminator: { propertyName: tag, mapping: Object.fromEntries(mapping) as Record<string, string> },
    };
  }
}

function isTuple(items: SourceSchema | readonly SourceSchema[]): items is readonly SourceSchema[] {
  return Array.isArray(items);
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const { type, enum: values, ...rest } = schema;
  return { type: [type, 'null'], ...(values ? { enum: [...values, null] } : {}), ...rest };
}

/** The member by whose literal the options can be told apart, where each is a component of its own. */
function tagOf(options: readonly SourceSchema[]): string | undefined {
  return Object.entries(options[0]?.properties ?? {}).find(([, member]) => member.const !== undefined)?.[0];
}
