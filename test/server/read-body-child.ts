// Reads bodies whose values take so much memory by the estimate, and writes their canonical text; prints the name of each.
// Started with a heap that has room for little more.
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { canonicalJson } from '../../src/protocol/values/canonical-json.ts';
import { surveyAtOnce } from '../../src/server/http/body/body-survey.ts';
import { parseBody } from '../../src/server/http/body/request-body.ts';
import { VALUES } from '../load/fillings.ts';

const SAMPLE_BYTES = 400_000;
const MAX_BYTES = 8 * 1024 * 1024;

const estimate = Number(process.argv[2]);
for (const [name, filling] of VALUES) {
  const sample = surveyAtOnce(filling(SAMPLE_BYTES)).memoryBytes / SAMPLE_BYTES;
  const bytes = filling(Math.min(MAX_BYTES, estimate / sample));
  const shape = surveyAtOnce(bytes);
  // What is too deep, or no JSON, is refused.
  if (shape.depth > DEFAULT_LIMITS.json_depth || name === 'wide characters') continue;
  if (canonicalJson(parseBody({ bytes, shape }, DEFAULT_LIMITS)).length > 0) console.log(name);
}
