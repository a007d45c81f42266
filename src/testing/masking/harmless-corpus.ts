/** Names of members that are no secrets, however much they sound like one. */
export const HARMLESS_KEYS: readonly string[] = `
  max_tokens maxTokens max_completion_tokens prompt_tokens completion_tokens total_tokens input_tokens output_tokens tokens
  tokenizer tokenize tokenized token_count tokenCount token_limit tokenLimit token_type tokenType token_usage tokenUsage
  token_budget num_tokens numTokens n_tokens eos_token bos_token pad_token unk_token sep_token cls_token mask_token
  stop_token stop_tokens start_token end_token special_tokens next_page_token nextPageToken page_token pageToken
  continuation_token continuationToken sync_token cached_tokens cachedTokens reasoning_tokens reasoningTokens audio_tokens
  image_tokens tokens_per_second token_ids tokenIds token_id token_index token_logprobs key keys keyboard keynote monkey
  primary_key foreign_key partition_key sort_key cache_key cacheKey keyword keywords key_name public_key publicKey turkey
  author authors authority authored authorName authenticated auth_type secretary secretariat passenger passage passed
  passing pass compass bypass passport cookieConsent cookie_policy cookbook cook credit credits password_policy
  passwordRequired password_min_length passwordField password_hint has_token_expired_at token_expires_at token_url
  tokenUrl token_endpoint authorization_url authorizationEndpoint api_key_name apiKeyName api_key_id access_key_id
  secret_name secretName session sessions session_name session_count sessionStart role content message messages model
  name id url path query question answer prompt temperature top_p stop stream user username email tools functions
  arguments result results output input text title description summary score rank index offset limit total count status
  code type kind version language region zone host port method headers body data value values item items list rows row
  column table database schema passwordStrength password_strength passwordRules passwordGenerator passwordManager passwordAge passwordStatus
  passwordEntropy tokenStatus tokenVersion token_format tokenLifetime tokenScope token_scopes tokenIssuer tokenization
  detokenize subtoken nontoken maxtoken eostoken padtoken pagetoken nextpagetoken prevpagetoken inputtoken
  secretVersion secretRotation authMethod authMode authScheme authProvider authEnabled authFlow authStatus
  cookieBanner cookieCategory cookiePreferences cookieDomain monkeys donkey hockey jockey whiskey keystroke keyframe
  hotkey keyboardLayout passRate pass_rate firstPass passive passthrough compassion trespass encompass created_at
  updated_at started_at ended_at duration latency
`
  .trim()
  .split(/\s+/);

/** Texts that are no secrets and hold none. */
export const HARMLESS_TEXTS: readonly string[] = String.raw`
The quick brown fox uses sk-learn-based-classifiers-for-text.
The metrics spoor_write_queue_bytes and spoor_http_request_duration_seconds_bucket
See https://example.com/docs?q=keys&max_tokens=10 for more.
if (a === b) return "x=$y"; const token_count = "12";
{"max_tokens":10,"model":"gpt-4o-mini","role":"user"}
Basic understanding is enough, bearer of good news
email me at ada@example.com: it is fine
commit 0123456789abcdef0123456789abcdef01234567
01a1f934-1d42-7000-b709-abbc43df47e6
The disk-usage-report-2024-01 is ready.
Use a risk-based approach; ask-me-anything-2025 was fun.
sk-learn and sk-estimators-v2 are names of packages.
sk-learn-based-classifiers-2024-for-text
key-value stores are fast, and key-based-sharding-of-2-tables works.
pk-index-of-a-table, re-entrant, pa-system, hf-transformers-based
npm_config_registry and npm_package_dependencies_react are variables.
re_match_all_of_the_words and fw_update_available are names
.btn-primary-outline-large { margin: 0 auto; }
<div class="sm:flex md:grid-cols-2 hover:bg-slate-100 text-gray-900">
/usr/local/lib/node_modules/some-package/dist/index.js:12:34
C:\Users\ada\Documents\project\src\main.ts
/home/ada/.config/app/settings.json
at Object.<anonymous> (/app/dist/server.js:120:15)
file:///srv/app/node_modules/a-package/lib/a-file.mjs
0123456789abcdef0123456789abcdef01234567
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
d41d8cd98f00b204e9800998ecf8427e
f47ac10b-58cc-4372-a567-0e02b2c3d479
request 7f3d2c1b-aaaa-4bbb-8ccc-1234567890ab took 12 ms
01HZX3V9J8Q2T6W4Y7R5N1M0KD is an ULID
V1StGXR8_Z5jdHi6B-myT is a nanoid
507f1f77bcf86cd799439011
2026-01-01T00:00:00.000Z and 12:30:45
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
call_9xKq2LmN8pQrStUvWxYz0123
chatcmpl-9AbCdEfGhIjKlMnOpQrStUvWxYz01
msg_01XFDUDYJgAACzvnptvVoYEL
toolu_01A09q90qw90lq917835lq9
run_abc123, thread_abc123, asst_abc123, file-abc123
gpt-4o-mini-2024-07-18, claude-3-5-sonnet-20241022, gemini-1.5-pro-002
text-embedding-3-large and mistral-large-2407
v1.0.0-beta.12+build.345
AS12345, ASIAN, AKIN, AKIAK
The Bearer of this letter is welcome, and bearer bonds are rare.
Bearer authentication is described below
Basic authentication uses base64; basic TypeScriptProject setup
basic understandings of mathematics
He said: "the secret of success is work"
Keep it a secret: nobody may know.
a token is a word or a part of a word
The tokenizer splits text into tokens: 12 tokens per line.
max_tokens=10&temperature=0.5&top_p=1
prompt_tokens: 12, completion_tokens: 30
{"usage":{"prompt_tokens":12,"completion_tokens":5,"total_tokens":17}}
{"token_count":"12","tokenizer":"cl100k_base"}
{"key":"value","primary_key":"id","sort_key":"date"}
keyboard: qwerty, monkey: rhesus
author: Ada Lovelace
authors="Ada, Charles"
authenticated=true;session_count=3
password_policy: strict
passwordRequired=true
pass: 12, fail: 3
compass=north&bypass=no&passport=blue
secretary=Ada&secretariat=yes
cookie: chocolate chip
Her favourite cookie: chocolate chip.
{"cookie":"chocolate chip","n":1}
auth: 'none'
{"auth":"none","retries":"3"}
auth: basic
smtpAuth=none
passwordStrength: strong
{"passwordStrength":"very strong"}
pass: yes, user: no
lap=1&pass=3
first pass=done
http://localhost:3000/users/@me and mail ada@example.com
see http://db.test:8080/a?b=c#d, or ask ada@example.com
docker://alpine:3.19 was built by ada@example.com
https://example.com: read it, then write to ada@example.com
Read http://host:port/path, or write to ada@example.com
https://registry.test/a/b:latest/c@2
http://localhost:8080/users/@me
https://host:443/path?to=a@b.c
see http://a:80 and mail bob@x.org
https://registry.example:4873/@scope/name
http://registry:4873/@scope/name
http://registry:4873/name@1.2.3
http://api:8080/users/bob@x.org
http://a:80, http://b:81, http://c:82 and bob@x.org
http://a:80/x,http://b:81/y,https://c.test/@z
redis://cache:6379/0, redis://other:6379/1 and bob@x.org
<a href="http://a:b">bob@x.org</a>
{"url":"http://a:80/x","mail":"bob@x.org"}
<url>http://a:80/x</url><mail>bob@x.org</mail>
jdbc:postgresql://db:5432/main?user=bob@x.org
Read http://host:port or ask bob@x.org
http://{host}:{port}/users/bob@x.org
machine learning, a login page and password rules
the machine learning login page has password rules
machine login form: password rules apply
The login and password fields of the machine are empty.
{"text":"machine api.test login app password "}
{"text":"machine api.test login app password ","n":1}
[["machine api.test login app password "],["x"]]
<add key="PasswordPolicy" value="strict and long" />
<add key="Theme" value="dark" />
<property name="monkey" value="rhesus"/>
{"name":"token_count","value":"twelve"}
{"name":"keyboard","value":"qwerty"}
{"d":"M 0 0 L 10 10 Z and some more of it","p":"a paragraph","q":"cats","k":"v"}
{"kty":"EC","crv":"P-256","x":"a point","y":"another"}
the robot/bot12 said: hello
cookie_policy=accepted
cookbook="good recipes"
next_page_token="2"
nextPageToken: 3
eos_token: "</s>"
pad_token="<pad>"
const tokens = text.split(' ');
const key = keys[index];
const token = tokenizer.next();
if (token === undefined) return;
while (token != null) token = next(token);
interface Options { maxTokens: number; tokenLimit: number }
function parse(token: Token): Node { return node(token); }
import { createHash } from 'node:crypto';
https://example.com/a/b?page=2&limit=10#top
https://example.com/docs/authentication#tokens
https://user@example.com/path
http://localhost:3000/api/v1/users?sort=name
http://[::1]:8080/
mailto:ada@example.com
git@github.com:acme/project.git
ssh://git@github.com/acme/project.git
postgres://db.test:5432/main
redis://cache.test:6379/0
s3://bucket/key/with/parts.json
see @ada and @charles at 12:30
ada@example.com wrote to charles@example.com: hello
price=12.50;currency=EUR;quantity=3
a=b&c=d&e=f
width: 100px; height: 50%; color: #ff8800;
100%, 50% off, %d items, %s
100%25 of 3%20000
q=caf%C3%A9+au+lait
E = mc^2; a := b; c => d
x == y && y === z || z != a
2 + 2 = 4
LGTM, ship it :-)
ls -la --color=auto --sort=size | grep -v test
docker run -u 1000:1000 --rm image
git commit -m "fix: the parser" --no-verify
npm install --save-dev typescript
curl -s https://example.com/health
SELECT id, name FROM users WHERE id = 12 ORDER BY name
[INFO] 12:00:01 worker-3 processed 120 rows in 45 ms
Error: connect ECONNREFUSED 127.0.0.1:5432
TypeError: Cannot read properties of undefined (reading 'token')
SyntaxError: Unexpected token } in JSON at position 12
Expected token: ";"
HTTP/1.1 200 OK
Content-Type: application/json; charset=utf-8
Accept: text/html, application/xhtml+xml
X-Request-Id: 7f3d2c1b
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
ssh-ed25519 keys are short
LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJ
1.0.0.127.in-addr.arpa
192.168.0.1, fe80::1, 00:1a:2b:3c:4d:5e
+49 30 1234567
ISBN 978-3-16-148410-0
DE89 3704 0044 0532 0130 00
Ünïcödé, 日本語, emoji 🎉, and RTL עברית
`
  .trim()
  .split('\n');
