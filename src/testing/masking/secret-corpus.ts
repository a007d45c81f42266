import { fill, type Secret } from './made-up-secret.ts';

/** Keys of providers that tell themselves by their shape. `name: pattern`, see `fill`. */
const TOKENS = String.raw`
OpenAI: sk-{w48}
OpenAI project: sk-proj-{w40}_{w40}-{w20}
OpenAI service account: sk-svcacct-{w60}
OpenAI admin: sk-admin-{w60}
Anthropic: sk-ant-api03-{w60}-{w30}AA
Anthropic admin: sk-ant-admin01-{w60}AA
Anthropic OAuth: sk-ant-oat01-{w60}
OpenRouter: sk-or-v1-{h64}
DeepSeek: sk-{h32}
Langfuse: sk-lf-{u}
Stripe live: sk_live_{w99}
Stripe test: sk_test_{w24}
Stripe restricted: rk_live_{w24}
Stripe webhook: whsec_{w32}
Clerk: sk_test_{w42}
GitHub personal: ghp_{w36}
GitHub OAuth: gho_{w36}
GitHub user to server: ghu_{w36}
GitHub server: ghs_{w36}
GitHub refresh: ghr_{w76}
GitHub fine-grained: github_pat_{w22}_{w59}
GitLab personal: glpat-{w20}
GitLab trigger: glptt-{h40}
GitLab runner: glrt-{w20}
GitLab deploy: gldt-{w20}
Slack bot: xoxb-<d12>-<d13>-{w24}
Slack user: xoxp-<d12>-<d12>-<d12>-{h32}
Slack app: xapp-1-A<d10>-<d13>-{h64}
Slack config: xoxe.xoxp-1-{w60}
AWS access key: AKIA{U16}
AWS session key: ASIA{U16}
AWS Bedrock: ABSK{w60}
Google API: AIza{w35}
Google OAuth: ya29.{w60}
Google client secret: GOCSPX-{w28}
Google refresh: 1//0{w40}-{w20}
npm: npm_{w36}
PyPI: pypi-AgEIcHlwaS5vcmc{w60}
RubyGems: rubygems_{h48}
crates.io: cio{w32}
NuGet: oy2{l43}
Docker Hub: dckr_pat_{w27}
Hugging Face: hf_{w34}
Groq: gsk_{w52}
Replicate: r8_{w37}
xAI: xai-{w80}
Perplexity: pplx-{w48}
Spoor: spoor_{w32}
Tavily: tvly-dev-{w32}
Cerebras: csk-{l48}
NVIDIA: nvapi-{w64}
Fireworks: fw_{w24}
LangSmith: lsv2_pt_{h32}_{h10}
Pinecone: pcsk_{w60}
Voyage: pa-{w43}
Jina: jina_{w48}
Shopify: shpat_{h32}
Shopify secret: shpss_{h32}
DigitalOcean: dop_v1_{h64}
DigitalOcean OAuth: doo_v1_{h64}
Linear: lin_api_{w40}
Notion: ntn_{w46}
Notion secret: secret_{w43}
SendGrid: SG.{w22}.{w43}
Mailgun: key-{h32}
Mailchimp: {h32}-us12
Brevo: xkeysib-{h64}-{w16}
Resend: re_{w8}_{w24}
Twilio: SK{h32}
Telegram: <d10>:AA{w33}
Telegram address of a path: /bot<d9>:{w35}/sendMessage
Discord bot: M{w23}.{w6}.{w38}
Databricks: dapi{h32}
Dropbox: sl.{w130}
Facebook: EAA{w120}
Square: sq0atp-{w22}
Square secret: sq0csp-{w43}
Razorpay: rzp_live_{w14}
Vault: hvs.{w90}
Vault batch: hvb.{w120}
Terraform: <w14>.atlasv1.{w60}
Doppler: dp.pt.{w43}
Grafana: glsa_{w32}_{h8}
Grafana cloud: glc_{w60}
Atlassian: ATATT3xFfGF0{w100}
Bitbucket: ATBB{w32}
Airtable: pat<w14>.{h64}
Figma: figd_{w40}
Postman: PMAK-{h24}-{h34}
PlanetScale: pscale_tkn_{w43}
PlanetScale password: pscale_pw_{w43}
Supabase: sbp_{h40}
Supabase secret: sb_secret_{w31}
Vercel: vcp_{w56}
Netlify: nfp_{w36}
Fly: FlyV1 fm2_{w120}
Heroku: HRKU-{w60}
Render: rnd_{w28}
Pulumi: pul-{h40}
1Password: ops_eyJ{w120}
Sentry: sntrys_eyJ{w80}_{w43}
Sentry user: sntryu_{h64}
New Relic: NRAK-{U27}
Dynatrace: dt0c01.{U24}.{U64}
HubSpot: pat-na1-{u}
PostHog: phx_{w43}
Plaid: access-production-{u}
Alibaba: LTAI{w20}
Tencent: AKID{w32}
Tailscale: tskey-auth-{w12}-{w32}
Contentful: CFPAT-{w43}
Shippo: shippo_live_{h40}
EasyPost: EZAK{w54}
Azure client secret: {w3}8Q~{w34}
Firebase messaging: AAAA{w7}:APA91b{w134}
AWS bearer: ABIA{U16}
Adobe: p8e-{h32}
Clojars: CLOJARS_{h60}
Hugging Face organisation: api_org_{w34}
OpenShift: sha256~{w43}
Facebook app: <d16>|{w27}
1Password secret key: A3-{U6}-{U11}-{U5}-{U5}-{U5}
JSON web token in base64: ZXlK{w60}
Cloudflare user: cfut_{w48}
Cloudflare account: cfat_{w48}
Cloudflare global: cfk_{w48}
Cloudflare origin CA: v1.0-{h24}-{h146}
age: AGE-SECRET-KEY-1{U58}
Mapbox: sk.eyJ1{w60}.{w22}
Yandex: AQVN{w35}
JSON web token: eyJhbGciOiJIUzI1NiJ9.eyJ{w60}.{w43}
JSON web token of five parts: eyJhbGciOiJkaXIiLCJl.{w40}.{w16}.{w60}.{w22}
JSON web token with a long head: eyJ{w1500}.eyJ{w60}.{w43}
Bearer: Bearer {w40}
bearer in lower case: bearer {l32}
Basic: Basic dXNlcjpw{w22}==
`;

/** Secrets that only their keys tell. `key: value pattern`. */
const MEMBERS = String.raw`
password: {P}
Password: {P}
PASSWORD: {P}
userPassword: {P}
db.password: {P}
password2: {P}
DB_PASS: {P}
smtp_pass: {P}
passwd: {P}
dbPwd: {P}
passphrase: {P}
secret: {w20}
client_secret: {w32}
clientSecret: {w32}
AWS_SECRET_ACCESS_KEY: {w40}
aws_session_token: {w200}
apiKey: {h32}
api-key: {h32}
X-API-Key: {u}
OPENAI_API_KEY: {w30}
azure-openai-api-key: {h32}
DD-API-KEY: {h32}
DD_APPLICATION_KEY: {h40}
Ocp-Apim-Subscription-Key: {h32}
access_token: {w30}
refreshToken: {w30}
id_token: {w30}
X-Auth-Token: {w30}
X-CSRF-Token: {w30}
csrf: {w30}
jwt: {w40}
Authorization: {w30}
Proxy-Authorization: {w30}
Cookie: {w30}
set-cookie: {w30}
sessionId: {w24}
session_key: {w24}
connect.sid: {w24}
PHPSESSID: {l26}
JSESSIONID: {H32}
privateKey: {w64}
signing_key: {w32}
encryptionKey: {w32}
AccountKey: {w86}
SharedAccessKey: {w43}
SharedAccessSignature: {w43}
connectionString: {w43}
credentials: {w30}
webhookSecret: {w30}
APP_KEY: {w43}
license_key: {U25}
recovery_code: {l10}
seed-phrase: {w40}
otp: {d8}
cvv2: {w8}
smtpAuth: {w20}
_authToken: {w36}
bot_token: {w30}
NPM_TOKEN: {w36}
pat_token: {w36}
hmacKey: {h64}
csrftoken: {w32}
xsrftoken: {w32}
csrfmiddlewaretoken: {w64}
jwttoken: {w40}
logintoken: {w24}
usertoken: {w24}
bottoken: {w30}
devicetoken: {h64}
admintoken: {w24}
renewtoken: {w24}
pgpass: {P}
adminpass: {P}
mysqlpwd: {P}
ftp_pw: {P}
login_pw: {P}
csrf_state: {w12}
secret_message: {w16}
password_hidden: {P}
totp_valid: {w8}
otp_message: {w12}
apikey_state: {w16}
token_help: {w16}
password_changed: {P}
sessionCookie: {w20}
auth_cookie: {w24}
`;

/** Texts that show a secret by what stands around it. */
const TEXTS = String.raw`
Postgres: postgres://app:{w16}@db.test:5432/main
Postgres with a hard password: postgresql://app:{w6}%2F{w8}@db.test/main
Postgres with a quote: postgres://app:{w8}'{w8}@db.test:5432/main
Postgres with a slash: postgres://app:{w8}/{w8}@db.test:5432/main
Postgres with a hash: postgres://app:{w8}#{w8}@db.test/main
Postgres with a double quote: postgres://app:{w8}"{w8}@db.test/main
Postgres with an angle: postgres://app:{w8}<{w8}@db.test/main
Postgres with blanks: postgres://app:{w8} {w8} {w8}@db.test:5432/main
Postgres with all of them: postgres://app:{w8}/'{w8}#?<{w8}@localhost/main
Postgres with an at and a slash: postgres://app:{w8}@{w8}/{w8}@db.test:5432/main
Postgres with slashes first: postgres://app://{w12}@db.test/main
Postgres with digits and a slash: postgres://app:<d4>/{w12}@db.test/main
Postgres with a backslash: postgres://app:{w8}\{w8}@db.test/main
AMQP with digits and a hash: amqp://app:<d4>#{w12}@mq.test
Redis with a slash and without user: redis://:{w8}/{w8}@cache.test:6379/0
MySQL: mysql://root:{w16}@127.0.0.1:3306/shop
MongoDB: mongodb+srv://app:{w16}@cluster0.test/db?retryWrites=true
Redis without user: redis://:{w24}@cache.test:6379/0
AMQP: amqps://app:{w16}@mq.test/vhost
MQTT: mqtt://device:{w16}@broker.test
Kafka: sasl.jaas.config=Plain required username="app" password="{w20}";
SFTP: sftp://app:{w12}@files.test/in
LDAP: ldap://cn=admin:{w12}@dir.test
proxy: http://user:{w12}@proxy.test:8080
git remote: https://oauth2:{w24}@git.test/a/b.git
token as user, nothing behind it: https://{w40}:@git.test/a/b.git
token as user of a package: git+https://{w40}:x-oauth-basic@git.test/a/b.git
token as user: https://{w40}@git.test/a/b.git
ODBC: Driver=x;Server=db.test;Uid=app;Pwd={w12};Encrypt=yes
ADO: Server=tcp:db.test,1433;User ID=app;Password={w12};
JDBC: jdbc:mysql://db.test:3306/app?user=app&password={w16}
Oracle: jdbc:oracle:thin:app/{w16}@//db.test:1521/x
Oracle with an at: jdbc:oracle:thin:app/{w8}@{w8}/{w8}@//db.test:1521/x
Go: app:{w16}@tcp(127.0.0.1:3306)/main
Go with an at and a slash: app:{w8}@{w8}/{w8}@tcp(127.0.0.1:3306)/main
libpq: host=db.test user=app password={w16} dbname=main
Azure storage: DefaultEndpointsProtocol=https;AccountName=x;AccountKey={w86}==;EndpointSuffix=core.test
Service Bus: Endpoint=sb://x.test/;SharedAccessKeyName=Root;SharedAccessKey={w43}=
Slack hook: https://hooks.slack.com/services/T<U8>/B<U8>/{w24}
Discord hook: https://discord.com/api/webhooks/<d18>/{w68}
Teams hook: https://acme.webhook.office.com/webhookb2/{u}/IncomingWebhook/{h32}/{u}
Zapier hook: https://hooks.zapier.com/hooks/catch/<d7>/{l10}/
IFTTT hook: https://maker.ifttt.com/trigger/x/with/key/{w43}
PagerDuty hook: https://events.pagerduty.com/integration/{h32}/enqueue
Feishu hook: https://open.feishu.cn/open-apis/bot/v2/hook/{u}
DingTalk hook: https://oapi.dingtalk.com/robot/send?access_token={h64}
Telegram address: https://api.telegram.org/bot<d10>:AA{w33}/sendMessage
signed by AWS: https://b.s3.test/k?X-Amz-Credential={U20}%2F20260101&X-Amz-Signature={h64}
token of AWS: https://b.s3.test/k?X-Amz-Security-Token={w100}&X-Amz-Date=20260101T000000Z
signed by Google: https://storage.test/b/k?X-Goog-Algorithm=x&X-Goog-Signature={h128}
signed by Azure: https://x.blob.test/c/f?sv=2022-11-02&se=2026-01-01&sr=b&sig={w43}%3D
signed by CloudFront: https://d.test/f?Expires=1&Signature={w60}__&Key-Pair-Id=<U14>
key in a query: https://maps.test/api?q=here&api_key={w32}
password in a query: https://api.test/login?user=app&pass={P}
password first in a query: https://api.test/login?pw={P}&user=app
form of a login: username=app&pass={P}&go=1
OAuth fragment: https://app.test/#access_token={w40}&token_type=bearer
private key: -----BEGIN PRIVATE KEY-----\n{w64}\n{w64}\n-----END PRIVATE KEY-----
RSA key: -----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{w64}\n{w40}=\n-----END RSA PRIVATE KEY-----
EC key: -----BEGIN EC PRIVATE KEY-----\n{w64}\n-----END EC PRIVATE KEY-----
OpenSSH key: -----BEGIN OPENSSH PRIVATE KEY-----\n{w70}\n{w70}\n-----END OPENSSH PRIVATE KEY-----
encrypted key: -----BEGIN ENCRYPTED PRIVATE KEY-----\n{w64}\n-----END ENCRYPTED PRIVATE KEY-----
PGP key: -----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{w64}\n={w4}\n-----END PGP PRIVATE KEY BLOCK-----
key without end: -----BEGIN PRIVATE KEY-----\n{w64}\n{w64}
key in base64: LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t{w80}
authorization header: Authorization: Token {w40}
digest header: Authorization: Digest username="app", response="{h32}"
signature header: Authorization: AWS4-HMAC-SHA256 Credential=x/20260101, Signature={h64}
key header: x-api-key: {u}
cookie header: Cookie: theme=dark; sid={w32}; csrf={w20}
set-cookie header: Set-Cookie: session={w32}; Path=/; HttpOnly
line of YAML: password: {P}
line of an env file: export DB_PASSWORD={P}
line of an ini file: secret_key = {w24}
line of npmrc: //registry.test/:_authToken={w36}
command line: deploy --token {w24} --dry-run
command line with equals: deploy --password={w16}
curl with a user: curl -u app:{w16} https://api.test
curl with a header: curl -H "X-Auth-Key: {w24}" https://api.test
source text: const apiKey = '{w24}';
typed source text: const apiToken: string = '{w24}';
Go source text: var dbPassword string = "{w16}"
Python source text: api_key: str = "{w24}"
makefile: API_TOKEN ?= "{w24}"
makefile, at once: API_TOKEN ::= "{w24}"
PHP that goes on: $apiToken .= "{w24}";
XML in lines: <login>\n  <password>\n    {w16}\n  </password>\n</login>
JSON text: {"login":{"password":"{w16}"},"n":1}
JSON with objects below: {"credentials":{"user":"{w12}","more":["{w16}"]},"n":1}
JSON in JSON: {"body":"{\"clientSecret\":\"{w24}\"}"}
JSON of a login: {"host":"db.test","user":"app","pass":"{P}"}
JSON of a login, password first: {"pw":"{P}","userName":"app"}
JSON of a login in JSON: {"body":"{\"smtpHost\":\"x.test\",\"pass\":\"{P}\"}"}
YAML of a login: host: db.test\nuser: app\npass: {P}\n
symmetric JWK: {"kty":"oct","alg":"HS256","k":"{w43}"}
JWK of a curve: {"crv":"P-256","x":"<w43>","y":"<w43>","d":"{w43}","kty":"EC"}
JWK of RSA: {"kty":"RSA","n":"<w342>","e":"AQAB","d":"{w342}","p":"{w171}","q":"{w171}","dp":"{w171}","dq":"{w171}","qi":"{w171}"}
JWK of RSA, its kind last: {"n":"<w683>","e":"AQAB","d":"{w683}","p":"{w342}","q":"{w342}","kty":"RSA"}
setting of .NET: <add key="DbPassword" value="{P}" />
setting of .NET, value first: <add value="{P}" key="SmtpPassword"/>
setting of .NET in JSON: {"config":"<add key=\"App:ClientSecret\" value=\"{w24}\" />"}
bean: <property name="password" value="{P}"/>
entry: <entry key="db.password">{P}</entry>
Android: <string name="api_key">{w32}</string>
meta: <meta name="csrf-token" content="{w43}">
field of a form: <input type="hidden" name="authenticity_token" value="{w43}" />
environment of a container: env:\n  - name: DB_PASSWORD\n    value: {P}\n
environment as JSON: [{"name":"DB_PASSWORD","value":"{P}"}]
netrc: machine api.test login app password {w12}
netrc in lines: machine api.test\n  login app\n  password {w12}\nmachine other.test\n  login app\n  password {w16}\n
netrc of a host without a domain: machine gitlab login app password {w12}
netrc of such a host with tabs: machine gitlab\tlogin app\tpassword {w12}
netrc of such a host in lines: machine gitlab\n  login app\n  password {w16}\n
netrc without login: machine api.test password {w12}
netrc for all others: default login app password {w12}
netrc in quotes: machine api.test login app password "{w12}"
netrc in quotes with blanks and a quote: machine api.test login app password "{w12} {w16}\"{w14}"\nmachine other.test
netrc with everything in quotes: machine "gitlab" login "the \"app\"" password "{w12} {w16}"
netrc for all others in quotes: default login "the app" password "{w12} {w16}"
netrc in quotes in JSON: {"netrc":"machine api.test login app password \"{w12} {w16}\\\"{w14}\"","n":1}
netrc in quotes in lines in JSON: {"netrc":"machine \"gitlab\"\n  login \"the app\"\n  password \"{w12} {w16}\"\n"}
netrc in quotes that is cut: machine api.test login app password "{w12} {w16}
flag of a password: deploy --user app --pass {P} --now
Telegram address in its documentation: https://api.telegram.org/bot<d6>:{w3}-{w16}-{w14}/getMe
Python: {'api_key': '{w24}', 'n': 1}
XML: <login><password>{w16}</password></login>
Ruby: {:api_key=>"{w24}"}
`;

function lines(table: string): [name: string, pattern: string][] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    });
}

const tokens = lines(TOKENS).map(([name, pattern]): Secret => {
  const { text, hidden } = fill(name, pattern);
  return { name, text, key: 'note', value: text, hidden };
});

/** How a member looks in a text, each in turn. */
const FORMS: readonly ((key: string, value: string) => string)[] = [
  (key, value) => `{"${key}":"${value}"}`,
  (key, value) => `${key}=${value}`,
  (key, value) => `  "${key}" : "${value}",`,
  (key, value) => `{'${key}': '${value}'}`,
];

const members = lines(MEMBERS).map(([key, pattern], index): Secret => {
  const { text: value, hidden } = fill(key, pattern);
  const form = FORMS[index % FORMS.length] ?? String;
  return { name: key, text: form(key.replaceAll(' ', '_'), value), key, value, hidden };
});

const texts = lines(TEXTS).map(([name, pattern]): Secret => {
  const { text, hidden } = fill(name, pattern.replaceAll('\\n', '\n'));
  return { name, text, key: 'note', value: text, hidden };
});

/** At least two hundred. */
export const SECRETS: readonly Secret[] = [...tokens, ...members, ...texts];
