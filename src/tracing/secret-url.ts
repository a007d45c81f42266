import { looksRandom } from './secret-token.ts';

/** Addresses that let anybody post who knows them, up to the part that nobody can guess. */
const WEBHOOKS =
  'hooks\\.slack\\.com/(?:services|workflows|triggers)|discord(?:app)?\\.com/api/webhooks/\\d{8,24}|' +
  'webhook\\.office\\.com/webhookb2|hooks\\.zapier\\.com/hooks/catch|/with/key|pagerduty\\.com/integration|/bot/v2/hook';

const URLS = new RegExp(
  [
    String.raw`\/(?<=(?:${WEBHOOKS})\/)[\w/@.-]{8,}`,
    // User info: host and user are what one looks for in a trace, so only the password goes.
    String.raw`:\/\/(?:(?<user>[^\s:/@?#"'<>\\]*):[^\s/?#"'<>\\]*(?=@)|(?<token>[\w.~%+-]{20,})(?=@))`,
    // jdbc:oracle:thin:user/password@host
    String.raw`:(?<=:thin:)(?<oracle>[^\s:/@]{1,64}\/)[^\s/@]{1,128}(?=@)`,
    // user:password@tcp(host)
    String.raw`:[^\s:@/"']{1,256}(?=@(?:tcp|udp|unix)\()`,
  ].join('|'),
  'g',
);

interface Found {
  readonly user?: string;
  readonly token?: string;
  readonly oracle?: string;
}

/** Passwords in addresses, and addresses that are secrets themselves. */
export function maskUrls(text: string, replacement: string): string {
  if (!text.includes('@') && !text.includes('://')) return text;
  return text.replace(URLS, (match: string, ...rest: unknown[]) => {
    // The last argument holds the named groups, since the expression has some.
    const { user, token, oracle } = rest.at(-1) as Found;
    if (user !== undefined) return match.length === user.length + 4 ? match : `://${user}:${replacement}`;
    if (token !== undefined) return looksRandom(token) ? `://${replacement}` : match;
    return oracle === undefined ? match.charAt(0) + replacement : `:${oracle}${replacement}`;
  });
}
