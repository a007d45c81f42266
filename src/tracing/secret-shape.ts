/**
 * Texts that are secrets wherever they stand. Each has a marker below, so that a text without any marker, which is
 * nearly every text, is read once and quickly. Whatever is looked for ahead has a bound, so that no text takes
 * quadratic time.
 */
const SHAPES: readonly RegExp[] = [
  // OpenAI, Anthropic, OpenRouter, Stripe, Langfuse and the many that copied them; a digit tells them from words.
  /\b(?:sk|pk|rk)[-_](?=[A-Za-z_-]{0,64}\d)[\w-]{16,}/,
  /\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/,
  /\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}|\bhooks\.slack\.com\/services\/[\w/]{20,}/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}/,
  /\b(?:npm|hf|gsk|r8|whsec|nvapi|shp[a-z]{2}|dop_v1|lin_api|sntry[su]|pul|dapi|PMAK|rnd|fw|cal_live)[-_](?=[A-Za-z_-]{0,64}\d)[\w-]{16,}/,
  /\b(?:xai|tvly|pplx|lsv2|csk|esecret|dckr_pat|sq0[a-z]{3})[-_](?=[A-Za-z_-]{0,64}\d)[\w-]{16,}/,
  /\bSG\.[\w-]{16,64}\.[\w-]{16,}|\bpypi-AgE[\w-]{20,}/,
  // JSON Web Tokens: two or three parts, the first of which begins with `{"`.
  /\beyJ[\w-]{10,1024}\.[\w-]{10,}(?:\.[\w-]*)?/,
  /\b[Bb]earer\s+[\w.~+/=-]{12,}/,
  /\b[Bb]asic\s+(?=[A-Za-z+/]{0,64}[\dA-Z=])[A-Za-z0-9+/]{12,}={0,2}/,
  /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,32}PRIVATE KEY-----|$)/,
  /\bAGE-SECRET-KEY-[0-9A-Z]{20,}/,
];

const ANY_SHAPE = new RegExp(SHAPES.map(({ source }) => source).join('|'), 'g');

/** User info of a URL: only the password goes, since host and user are what one looks for in a trace. */
const URL_PASSWORD = /([a-zA-Z][\w+.-]{0,31}:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,1024}(?=@)/g;

/** A member, assignment or named argument in quotes: JSON in a string, source text, messages. */
const QUOTED_MEMBER =
  /(?:(["'`])([A-Za-z][\w .-]{0,63})\1|([A-Za-z_$][\w$.-]{0,63}))(\s*[:=]\s*)(["'`])((?:(?!\5)[^\\\n]|\\.)+)\5/g;

/** The same with every quote escaped once: JSON inside a JSON string. */
const ESCAPED_MEMBER = /\\"([A-Za-z][\w .-]{0,63})\\"(\s*:\s*)\\"((?:(?!\\")[^\n])+)\\"/g;

/** `key=value` without quotes: query strings, connection strings, form bodies, environment files. */
const BARE_MEMBER = /([A-Za-z][\w.-]{0,63})=([^&;,\s"'`<>]+)/g;

/** What stands before the `-` or `_` of a key with a prefix. */
const KEY_PREFIX =
  /(?<=(?:[spr]k|gh[pousr]|_pat|lpat|xox[abeoprs]|xapp|npm|hf|gsk|r8|whsec|nvapi|shp[a-z]{2}|_v1|_api|sntry[su]|pul|dapi|PMAK|rnd|fw|live|xai|tvly|pplx|lsv2|csk|cret|sq0[a-z]{3}|pypi|AGE)[-_])/;

/**
 * One of these is in every text that a shape can match. Each begins with a character that is rare in prose, so that
 * a text is looked through at about half a nanosecond per character.
 */
const SHAPE_MARKER = new RegExp(
  `[-_]${KEY_PREFIX.source}|J(?<=eyJ)|A[KS]IA|AIza|[Bb](?:earer|asic)\\s|-----B|SG\\.|GOCSPX|29\\.(?<=ya29\\.)|\\.(?<=slack\\.)com|:\\/\\/[^\\s/@]{0,1280}@`,
);

const MEMBER_MARKER = /[:=]\s{0,2}\\?["'`]|=[^\s=>]/;

const ANY_MARKER = new RegExp(`${SHAPE_MARKER.source}|${MEMBER_MARKER.source}`);

/** What `maskText` needs to know of the rules in force. */
export interface TextRules {
  readonly replacement: string;
  readonly shapes: readonly RegExp[];
  isSecretKey(key: string): boolean;
}

/** `text` with everything replaced that looks like a secret; the same string when there is nothing. */
export function maskText(text: string, rules: TextRules): string {
  let masked = text;
  if (ANY_MARKER.test(text)) {
    if (SHAPE_MARKER.test(masked)) masked = maskShapes(masked, rules.replacement);
    if (MEMBER_MARKER.test(masked)) masked = maskMembers(masked, rules);
  }
  for (const shape of rules.shapes) masked = masked.replace(shape, () => rules.replacement);
  return masked;
}

function maskShapes(text: string, replacement: string): string {
  return text
    .replace(ANY_SHAPE, () => replacement)
    .replace(URL_PASSWORD, (_match, before: string) => before + replacement);
}

function maskMembers(text: string, rules: TextRules): string {
  return text
    .replace(QUOTED_MEMBER, (match, _quote, quoted, bare, between: string, quote: string) => {
      const key = String(quoted ?? bare);
      if (!rules.isSecretKey(key)) return match;
      return `${match.slice(0, match.indexOf(between, key.length))}${between}${quote}${rules.replacement}${quote}`;
    })
    .replace(ESCAPED_MEMBER, (match, key: string, between: string) =>
      rules.isSecretKey(key) ? `\\"${key}\\"${between}\\"${rules.replacement}\\"` : match,
    )
    .replace(BARE_MEMBER, (match, key: string) => (rules.isSecretKey(key) ? `${key}=${rules.replacement}` : match));
}
