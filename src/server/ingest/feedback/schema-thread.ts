import { parentPort } from 'node:worker_threads';
import { Ajv, type ValidateFunction } from 'ajv';

/** A value and the JSON Schema it has to keep, both as JSON; sent by `checkSchema` only. */
export interface SchemaTask {
  readonly schema: string;
  readonly value: string;
}

/** The problem of a value with its schema, null when it keeps it; or why the schema is none. */
export type Verdict = { readonly problem: string | null } | { readonly schemaError: string };

const MAX_KEPT = 50;
const MAX_KEPT_CHARACTERS = 64 * 1024;

/** Annotations of one kind come one after another, and making a validator takes far longer than using it. */
const kept = new Map<string, ValidateFunction>();

serve();

function serve(): void {
  const port = parentPort;
  if (port === null) throw new TypeError('Schemas are checked in a worker only');
  port.on('message', (task: SchemaTask) => port.postMessage(verdictOn(task)));
  port.postMessage('ready');
}

function verdictOn({ schema, value }: SchemaTask): Verdict {
  try {
    const validate = kept.get(schema) ?? compile(schema);
    const isValid = validate(JSON.parse(value));
    return { problem: isValid ? null : new Ajv().errorsText(validate.errors, { dataVar: 'value' }) };
  } catch (error) {
    return { schemaError: error instanceof Error ? error.message : String(error) };
  }
}

function compile(schema: string): ValidateFunction {
  // One for each schema: they may have the same `$id`.
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, multipleOfPrecision: 9 });
  // It was looked at before it was sent here.
  const validate = ajv.compile(JSON.parse(schema) as object);
  if (schema.length > MAX_KEPT_CHARACTERS) return validate;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(schema, validate);
  return validate;
}
