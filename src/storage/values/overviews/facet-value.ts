import type { FacetField, ModelUsage } from '../../contract/overviews.ts';
import { exceptionTypeOf } from './call-outline.ts';
import { mainModelOf } from './call-usage.ts';
import { valueAtPath } from '../json-path.ts';
import type { RecordValues } from '../record-values.ts';
import { textOfValue } from '../value.ts';

/** The text that a call is counted by. */
export function facetValue(field: FacetField, values: RecordValues, usages: readonly ModelUsage[]): string | null {
  switch (field.kind) {
    case 'text':
      return values.text(field.column);
    case 'json':
      return textOfValue(valueAtPath(values.json(field.column), field.path));
    case 'exceptionType':
      return exceptionTypeOf(values.text('exception'));
    case 'model':
      return mainModelOf(usages);
  }
}
