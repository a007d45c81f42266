import type { PathStep } from './json-rows.ts';

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** A path as one would write it in a program: `output.choices[0]["finish reason"]`. */
export function pathText(root: string, path: readonly PathStep[]): string {
  return path.reduce<string>((text, step) => text + stepText(step), root);
}

function stepText(step: PathStep): string {
  if (typeof step === 'number') return `[${step}]`;
  return NAME.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
