/** Short forms of the expressions of section 7. */

export const field = (path: string) => ({ $getField: path });
export const literal = (value: unknown) => ({ $literal: value });
export const convert = (input: object, to: string) => ({ $convert: { input, to } });
export const not = (operand: object) => ({ $not: [operand] });
export const eq = (left: object, right: object) => ({ $eq: [left, right] });
export const gt = (left: object, right: object) => ({ $gt: [left, right] });
export const gte = (left: object, right: object) => ({ $gte: [left, right] });
export const lt = (left: object, right: object) => ({ $lt: [left, right] });
export const lte = (left: object, right: object) => ({ $lte: [left, right] });
export const contains = (input: object, substr: unknown, case_insensitive = false) => ({
  $contains: { input, substr: literal(substr), case_insensitive },
});
export const containsToken = (input: object, substr: unknown, case_insensitive = false) => ({
  $containsToken: { input, substr: literal(substr), case_insensitive },
});
