import { isPassName } from './secret-sibling.ts';

/** Values of `auth` that are no secrets. */
const WAYS_TO_LOG_IN = new Set(
  (
    'none null undefined basic bearer digest oauth oauth2 oidc openid saml sso ldap jwt token apikey api-key api_key key ' +
    'password session cookie cookies kerberos negotiate ntlm mtls tls iam anonymous guest public private required optional ' +
    'enabled disabled on off yes no true false auto default custom inherit'
  ).split(' '),
);

/** The cookie that one eats. One word may be a session as well, and so may whatever the cookie of a login is set to. */
const PLAIN_WORDS = /^[a-z]{1,12}(?: [a-z]{1,12}){1,7}[.!?]?$/;

const EATEN = /^(?:[a-z]{1,12}[ _-])?cookies?$/;

const OF_LOGIN = /auth|sess|sid|login|user|token|set/;

/** Words of `pass` in reports of tests, and numbers of rounds; numbers as small are no passwords in any place. */
const VERDICT =
  'yes|no|ok|okay|true|false|null|undefined|none|n/a|pass|passed|passing|fail|failed|failing|skip|skipped|pending|' +
  'warn|warning|first|second|third|final|last|\\d{1,3}(?:[./]\\d{1,3})?%?';

const WHOLE_VERDICT = new RegExp(`^(?:${VERDICT})$`, 'i');

const VERDICT_WITHIN = new RegExp(String.raw`[ \t"'\\]{0,8}(?:${VERDICT})(?![\w$.%/-])`, 'iy');

const LONGEST = 96;

/** Is this no secret, though the built-in rules take the name for that of one? */
export function isHarmlessValue(key: string, value: string): boolean {
  if (value.length > LONGEST) return false;
  if (isPassName(key)) return WHOLE_VERDICT.test(value);
  if (/auth(?:orization|entication)?$/i.test(key)) return WAYS_TO_LOG_IN.has(value.toLowerCase());
  return EATEN.test(key) && !OF_LOGIN.test(key) && PLAIN_WORDS.test(value);
}

/** Does a verdict or the number of a round stand here within a text? */
export function isVerdictAt(text: string, at: number): boolean {
  VERDICT_WITHIN.lastIndex = at;
  return VERDICT_WITHIN.test(text);
}
