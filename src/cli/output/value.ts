import { shortenFiles } from './file-marker.ts';
import { toPlainText } from './plain-text.ts';

const MAX_LINES = 40;
const MAX_CHARACTERS = 4000;
/** A shorter JSON text stays in one line. */
const ONE_LINE_CHARACTERS = 100;

/**
 * A recorded value under its label: texts as they are, files in a line, everything else as JSON; cut with a note of what
 * is left.
 */
export function fieldLines(label: string, value: unknown): string[] {
  const whole = shortenFiles('', value);
  const text = typeof whole === 'string' ? whole : jsonOf(whole);
  const lines = toPlainText(text.slice(0, MAX_CHARACTERS)).trimEnd().split('\n');
  const shown = lines.slice(0, MAX_LINES);
  const isCut = shown.length < lines.length || text.length > MAX_CHARACTERS;
  const rest = isCut ? [`… ${text.length.toLocaleString('en-US')} characters in all, see --json`] : [];
  if (shown.length === 1) return [`${label}: ${shown[0]}`, ...rest];
  return [`${label}:`, ...[...shown, ...rest].map((line) => `  ${line}`)];
}

function jsonOf(value: unknown): string {
  const text = JSON.stringify(value, shortenFiles);
  return text.length <= ONE_LINE_CHARACTERS ? text : JSON.stringify(value, shortenFiles, 2);
}
