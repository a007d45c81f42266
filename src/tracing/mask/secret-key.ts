/** Words that make a key secret wherever they stand in it. */
const SECRET_WORDS = new Set(
  (
    'password passwords passwd pwd passphrase passcode secret secrets token authorization cookie cookies ' +
    'credential credentials apikey apikeys authtoken accesstoken refreshtoken idtoken sessiontoken clientsecret ' +
    'privatekey secretkey accesskey bearer cvv cvc ssn otp totp csrf xsrf jwt mnemonic phpsessid jsessionid sessid ' +
    'passwort kennwort pswd'
  ).split(' '),
);

/** Pairs of neighbouring words that do. */
const SECRET_PAIRS = new Set(
  (
    'api key,api keys,access key,private key,secret key,encryption key,signing key,master key,account key,' +
    'shared key,ssh key,service key,deploy key,subscription key,session id,session key,connection string,auth tokens,' +
    'access tokens,refresh tokens,bearer tokens,api tokens,security code,pin code,recovery code,recovery codes,' +
    'backup code,backup codes,recovery key,recovery phrase,seed phrase,license key,licence key,app key,' +
    'application key,auth key,write key,ingest key,ingestion key,instrumentation key,function key,storage key,' +
    'admin key,root key,consumer key,decryption key,hmac key,aes key,rsa key,pgp key,gpg key,jwt key,webhook key,' +
    'connect sid,access signature,amz signature,amz credential,goog signature,goog credential'
  ).split(','),
);

/** The same without spaces, since the names of headers come in small letters: `sessionid`, `userpassword`. */
const GLUED = new Set([...SECRET_PAIRS].map((pair) => pair.replace(' ', '')));
for (const word of SECRET_WORDS) if (word.length > 5) GLUED.add(word);
for (const word of ['smtpauth', 'proxyauth', 'basicauth']) GLUED.add(word);

/** `pass` and `pw` are passwords behind one of these, and elsewhere mostly a round: `first_pass`. */
const BEFORE_PASS = new Set(
  'db database user smtp mail email ftp sftp root admin mysql postgres pg redis mongo proxy login http auth ssh wifi'.split(
    ' ',
  ),
);

for (const word of BEFORE_PASS) {
  for (const glued of [`${word}pass`, `${word}pwd`, `${word}pw`]) if (glued.length > 4) GLUED.add(glued);
}

/** Names of what signs or opens an address, in the query of one. */
const QUERY_NAMES = new Set(['sig', 'sign', 'signature', 'hmac', 'auth', 'pass', 'pw']);

/** Names of what a login hands over there; elsewhere, and before a plain word, they name anything. */
const LOGIN_NAMES = new Set(['code', 'key', 'state']);

/** A key that ends like this speaks about the secret: `token_count`, `password_policy`, `api_key_name`. */
const HARMLESS_ENDS = new Set(
  (
    'count counts limit limits budget usage type types length size url uri endpoint policy required enabled disabled ' +
    'expires expiry expiration ttl at field label placeholder min max name names id ids index hint strategy ' +
    'probability logprob logprobs embedding embeddings position offset rate cost price stats consent banner arn ' +
    'algorithm provider symbol decimals str strength complexity entropy quality rule rules generator manager status ' +
    'version format scope scopes issuer audience age lifetime duration interval timeout rotation domain category ' +
    'categories preference preferences'
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

/** The same where both are one word. Short ones are left out that other words end with: `admintoken`, `renewtoken`. */
const HARMLESS_TOKEN =
  /^(?:\p{L}{0,12}(?:page|next|prev|continuation|sync|cursor|special|prompt|completion|input|output|cached|reasoning)|max|min|num|n|eos|bos|pad|unk|sep|cls|mask|stop|start|end|first|last|total|image|audio|text|per|each|new|current|word|added|unknown|padding|time|sub|non|pre|post|multi|de|un|re|is|has|no)token$/u;

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
export function isSecretKeyName(numbered: readonly string[]): boolean {
  // `password2` is one, too.
  const words = numbered.map((word) => word.replace(/(?<=[^\d])\d+$/, ''));
  const last = words.at(-1) ?? '';
  // A session id is itself the secret, so its ending does not make it harmless.
  if (words.length > 1 && HARMLESS_ENDS.has(last)) return last === 'id' && words.at(-2) === 'session';
  return words.some((word, index) => isSecretAt(words, word, index));
}

function isSecretAt(words: readonly string[], word: string, index: number): boolean {
  const before = words[index - 1];
  if (before !== undefined && SECRET_PAIRS.has(`${before} ${word}`)) return true;
  if (word === 'pass' || word === 'pw') return before !== undefined && BEFORE_PASS.has(before);
  // As a whole or at the end it is a login: `auth`, `smtpAuth`; elsewhere it speaks about one.
  if (word === 'auth') return index === words.length - 1;
  if (!SECRET_WORDS.has(word)) return endsGlued(word);
  return word !== 'token' || before === undefined || !HARMLESS_BEFORE_TOKEN.has(before);
}

function endsGlued(word: string): boolean {
  if (word.endsWith('token')) return !HARMLESS_TOKEN.test(word);
  for (let from = 0; from <= word.length - 5; from++) if (GLUED.has(word.slice(from))) return true;
  return false;
}

/** Does the name of a parameter in the query of an address name a secret, where it would not elsewhere? */
export function isSecretQueryName(name: string): boolean {
  return QUERY_NAMES.has(name.toLowerCase());
}

/** Does it name one where its value looks like a secret? */
export function isLoginQueryName(name: string): boolean {
  return LOGIN_NAMES.has(name.toLowerCase());
}
