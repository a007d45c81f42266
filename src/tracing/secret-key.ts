/** Words that make a key secret wherever they stand in it. */
const SECRET_WORDS = new Set(
  (
    'password passwords passwd pwd passphrase passcode secret secrets token authorization cookie cookies ' +
    'credential credentials apikey apikeys authtoken accesstoken refreshtoken idtoken sessiontoken clientsecret ' +
    'privatekey secretkey accesskey bearer cvv cvc ssn otp totp'
  ).split(' '),
);

/** Pairs of neighbouring words that do. */
const SECRET_PAIRS = new Set(
  (
    'api key,api keys,access key,private key,secret key,encryption key,signing key,master key,account key,' +
    'shared key,ssh key,service key,deploy key,subscription key,session id,session key,connection string,auth tokens,' +
    'access tokens,refresh tokens,bearer tokens,api tokens,security code,pin code'
  ).split(','),
);

/** A key that ends like this speaks about the secret: `token_count`, `password_policy`, `api_key_name`. */
const HARMLESS_ENDS = new Set(
  (
    'count counts limit limits budget usage type types length size url uri endpoint policy required enabled disabled ' +
    'expires expiry expiration ttl at field label placeholder min max name names id ids index hint strategy ' +
    'probability logprob logprobs embedding embeddings position offset rate cost price stats consent banner'
  ).split(' '),
);

/** `token` after one of these is a word of a text or a place in a list: `eos_token`, `next_page_token`. */
const HARMLESS_BEFORE_TOKEN = new Set(
  (
    'page next prev previous continuation sync cursor eos bos pad unk sep cls mask stop start end special first last ' +
    'max min num n total prompt completion input output cached reasoning image audio text per each new current word ' +
    'added unknown padding time'
  ).split(' '),
);

/** Words of a key in lower case: `X-Api-Key`, `apiKey`, `API_KEY`, `APIKey` all read `api key` (after `x`). */
export function wordsOf(key: string): string[] {
  return key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Does a key name a secret by the built-in rules? Its value is hidden unless it is a number or a boolean. */
export function isSecretKeyName(words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  // A session id is itself the secret, so its ending does not make it harmless.
  if (words.length > 1 && HARMLESS_ENDS.has(last)) return last === 'id' && words.at(-2) === 'session';
  return words.some((word, index) => isSecretAt(words, word, index));
}

function isSecretAt(words: readonly string[], word: string, index: number): boolean {
  const before = words[index - 1];
  if (before !== undefined && SECRET_PAIRS.has(`${before} ${word}`)) return true;
  if (!SECRET_WORDS.has(word)) return false;
  return word !== 'token' || before === undefined || !HARMLESS_BEFORE_TOKEN.has(before);
}
