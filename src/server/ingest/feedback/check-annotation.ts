import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { FeedbackCreateRequest } from '../../../protocol/feedback.ts';
import { parseRef } from '../../../protocol/ref.ts';
import type { StoredObject } from '../../../storage/contract/objects.ts';
import { checkSchema } from './check-schema.ts';
import { feedbackRefusal } from './feedback-refusal.ts';
import { isJsonObject } from '../../../protocol/values/json-object.ts';
import type { WriteStores } from '../write-stores.ts';

/** An annotation names an object of its project that is there, and its value keeps the schema of that object. */
export async function checkAnnotation(
  objects: WriteStores['objects'],
  { project_id: projectId, annotation_ref: ref }: FeedbackCreateRequest,
  payload: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  const parts = parseRef(ref ?? '');
  if (parts.kind !== 'object' || `${parts.entity}/${parts.project}` !== projectId) {
    throw feedbackRefusal('annotation_ref', 'annotation_ref is of another project');
  }
  if (!Object.hasOwn(payload, 'value')) throw feedbackRefusal('payload', 'the payload of an annotation needs value');
  const object = await objects.get(projectId, parts.name, parts.version);
  if (object?.kind !== 'object' || object.val === null || object.deleted_at !== null) {
    throw feedbackRefusal('annotation_ref', 'there is no object that annotation_ref names');
  }
  await checkValue(payload, fieldSchemaOf(object));
}

function fieldSchemaOf(object: StoredObject): object | undefined {
  const isSpec = object.leaf_object_class === 'AnnotationSpec' || object.base_object_class === 'AnnotationSpec';
  if (!isSpec) return undefined;
  const val: unknown = JSON.parse(object.val ?? '{}');
  const schema = isJsonObject(val) ? val['field_schema'] : undefined;
  if (!isJsonObject(schema)) return undefined;
  // The validator knows one draft, and answers later than it is asked where `$async` is set.
  const { $async: _async, $schema: _draft, ...rules } = schema;
  return rules;
}

async function checkValue(payload: Readonly<Record<string, JsonValue>>, schema: object | undefined): Promise<void> {
  if (schema === undefined) return;
  // Tokens of numbers are numbers to the validator.
  const verdict = await checkSchema({ schema: JSON.stringify(schema), value: JSON.stringify(payload['value']) });
  if ('schemaError' in verdict) {
    throw feedbackRefusal(
      'annotation_ref',
      `field_schema of the object is no JSON Schema: ${shortened(verdict.schemaError)}`,
    );
  }
  if (verdict.problem !== null) {
    throw feedbackRefusal('payload', `its value breaks the schema of the annotation: ${shortened(verdict.problem)}`);
  }
}

/** Names in a schema may be long. */
function shortened(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 500)}…`;
}
