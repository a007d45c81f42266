/** What `auth` is set to that is no secret. */
const WAYS_TO_LOG_IN = new Set(
  (
    'none null undefined basic bearer digest oauth oauth2 oidc openid saml sso ldap jwt token apikey api-key api_key key ' +
    'password session cookie cookies kerberos negotiate ntlm mtls tls iam anonymous guest public private required optional ' +
    'enabled disabled on off yes no true false auto default custom inherit'
  ).split(' '),
);

/** The cookie that one eats, and what a visitor has agreed to. That of a header has a name and letters at random. */
const PLAIN_WORDS = /^[A-Za-z]{1,12}(?:[ ,]{1,2}[A-Za-z]{1,12}){0,7}[.!?]?$/;

const LONGEST = 96;

/** Is this no secret, though the built-in rules take the name for that of one? */
export function isHarmlessValue(key: string, value: string): boolean {
  if (value.length > LONGEST) return false;
  if (/auth(?:orization|entication)?$/i.test(key)) return WAYS_TO_LOG_IN.has(value.toLowerCase());
  return /cookies?$/i.test(key) && PLAIN_WORDS.test(value);
}
