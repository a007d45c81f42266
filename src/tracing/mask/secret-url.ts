import { looksRandom } from './secret-token.ts';
import type { Marks } from './text-marks.ts';
import { endOfPassword } from './url-password.ts';

/** Addresses that let anybody post who knows them, up to the part that nobody can guess. */
const WEBHOOKS =
  'hooks\\.slack\\.com/(?:services|workflows|triggers)|discord(?:app)?\\.com/api/webhooks/\\d{8,24}|' +
  'webhook\\.office\\.com/webhookb2|hooks\\.zapier\\.com/hooks/catch|/with/key|pagerduty\\.com/integration|/bot/v2/hook';

/** The beginning of an address with a user. */
const LOGIN = /:\/\/([^\s:/@?#"'<>\\]*):/y;

const SCHEME = /[A-Za-z][\w+.-]{0,31}$/;

/** A letter of a password in an address that is none of the web. */
const LOOSE = String.raw`(?:[^\s:"']|["'](?![\s,;:)\]}]))`;

const URLS = new RegExp(
  [
    String.raw`\/(?<=(?:${WEBHOOKS})\/)[\w/@.-]{8,}`,
    String.raw`:\/\/(?<token>[\w.~%+-]{20,})(?=@)`,
    // jdbc:oracle:thin:user/password@host
    String.raw`:(?<=:thin:)(?<oracle>[^\s:/@]{1,64}\/)[^\s"'<>]{1,128}(?=@(?:\/\/)?[\w.[(-])`,
    // user:password@tcp(host)
    String.raw`:(?!["'])${LOOSE}{1,256}(?::${LOOSE}{1,256})?(?=@(?:tcp|udp|unix)\()`,
  ].join('|'),
  'g',
);

interface Found {
  readonly token?: string;
  readonly oracle?: string;
}

/** Passwords in addresses, and addresses that are secrets themselves. */
export function maskUrls(text: string, { hasAt, hasColon }: Marks, replacement: string): string {
  const hasAddress = hasColon && text.includes('://');
  if (!hasAt && !hasAddress) return text;
  const masked = hasAt && hasAddress ? maskLogins(text, replacement) : text;
  return masked.replace(URLS, (match: string, ...rest: unknown[]) => {
    // The last argument holds the named groups, since the expression has some.
    const { token, oracle } = rest.at(-1) as Found;
    if (token !== undefined) return looksRandom(token) ? `://${replacement}` : match;
    return oracle === undefined ? match.charAt(0) + replacement : `:${oracle}${replacement}`;
  });
}

/** Host and user are what one looks for in a trace, so only the password goes. */
function maskLogins(text: string, replacement: string): string {
  let masked = '';
  let copied = 0;
  const lastAt = text.lastIndexOf('@');
  for (let at = text.indexOf('://'); at !== -1 && at < lastAt; at = text.indexOf('://', Math.max(copied, at + 3))) {
    LOGIN.lastIndex = at;
    const user = LOGIN.exec(text)?.[1];
    if (user === undefined) continue;
    const from = LOGIN.lastIndex;
    const scheme = SCHEME.exec(text.slice(Math.max(0, at - 32), at))?.[0] ?? '';
    const end = endOfPassword(text, { scheme, user, from, opening: text.charAt(at - scheme.length - 1) });
    if (end === undefined) continue;
    masked += text.slice(copied, at) + maskedLogin(user, end === from, replacement);
    copied = end;
  }
  return masked + text.slice(copied);
}

/** A token may stand in place of the user, before a password that says nothing: `x-oauth-basic`, or none. */
function maskedLogin(user: string, isOpen: boolean, replacement: string): string {
  const shown = user.length >= 20 && looksRandom(user) ? replacement : user;
  return isOpen ? `://${shown}:` : `://${shown}:${replacement}`;
}
