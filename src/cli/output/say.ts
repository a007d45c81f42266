import { screenWidth } from './screen.ts';
import { wrapped, type WrapOptions } from './wrapped.ts';

/** Prints a sentence on standard output: in one line, and at a terminal in as many as it takes. */
export function say(text: string, options?: Pick<WrapOptions, 'indent'>): void {
  process.stdout.write(`${wrapped(text, options).join('\n')}\n`);
}

/** The same on standard error. */
export function remark(text: string): void {
  process.stderr.write(`${wrapped(text, { room: screenWidth(process.stderr) }).join('\n')}\n`);
}
