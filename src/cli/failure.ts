import { inspect } from 'node:util';
import { TracingError } from '../protocol/error.ts';
import { toLine, toPlainText } from './output/plain-text.ts';
import { remark } from './output/say.ts';
import { systemSentence } from './output/system-sentence.ts';

/** The arguments make no sense: exit code 2. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Lines that show the place, below the sentence. */
  readonly detail: string | undefined;

  constructor(message: string, { detail, ...options }: ErrorOptions & { readonly detail?: string } = {}) {
    super(message, options);
    this.detail = detail;
  }
}

/** Any trouble of a command whose exit code 1 is an answer: it is told as the trouble is, and the exit code is 2. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(cause: unknown) {
    super('The command has no answer', { cause });
  }
}

/** Writes one line on standard error, with the place and, when asked for, the cause below it; returns the exit code. */
export function reportFailure(error: unknown, { isVerbose }: { readonly isVerbose: boolean }): number {
  if (error instanceof NoAnswerError) {
    reportFailure(error.cause, { isVerbose });
    return 2;
  }
  remark(`spoor: ${toLine(sentenceOf(error))}`);
  if (error instanceof UsageError && error.detail !== undefined) process.stderr.write(`${toPlainText(error.detail)}\n`);
  if (isVerbose) process.stderr.write(`${inspect(error)}\n`);
  return error instanceof UsageError ? 2 : 1;
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const missing = missingPackage(error);
  if (error instanceof TracingError && error.code === 'unauthenticated') return `${error.message}. ${KEY_ADVICE}`;
  return missing === undefined
    ? (systemSentence(error) ?? error.message)
    : `The package "${missing}" is not installed. ${INSTALL_ADVICE}`;
}

const KEY_ADVICE =
  'Name one with --key or SPOOR_API_KEY: "spoor keys create" makes one where the service runs, and "spoor doctor" says what it takes';

const INSTALL_ADVICE =
  'The command line and the service need the optional dependencies: run "npm install --include=optional spoor"';

/** Name of the package that an import did not find. */
function missingPackage(error: Error): string | undefined {
  if (!('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return /^Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(error.message)?.[1];
}
