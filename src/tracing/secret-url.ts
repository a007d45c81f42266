import { looksRandom } from './secret-token.ts';
import type { Marks } from './text-marks.ts';

/** Addresses that let anybody post who knows them, up to the part that nobody can guess. */
const WEBHOOKS =
  'hooks\\.slack\\.com/(?:services|workflows|triggers)|discord(?:app)?\\.com/api/webhooks/\\d{8,24}|' +
  'webhook\\.office\\.com/webhookb2|hooks\\.zapier\\.com/hooks/catch|/with/key|pagerduty\\.com/integration|/bot/v2/hook';

/** A letter of a password that should have been encoded: quotes and angles stand between others. */
const LOOSE = String.raw`(?:[^\s"'<>\\@:]|:(?!\/\/)|\\{0,7}["'<>](?![\s,;:)\]}]))`;

/** The same with `@`, up to what ends the name of a host. */
const QUOTED = String.raw`(?:[^\s"'<>\\/?#]|["'<>](?![\s,;:)\]}]))`;

const HOST = String.raw`(?:[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|[\w-]{1,63}(?=[:/?"'\s\\]|$))(?![\w@])`;

/** Behind many words an address of mail may stand: then that of a host goes on. */
const LOOSE_PASSWORD = String.raw`(?!\d[\d.]{0,16} )${LOOSE}{1,128}?(?:(?: ${LOOSE}{1,64}?){0,2}?(?=@${HOST})|(?: ${LOOSE}{1,64}?){3,8}?(?=@${HOST}[:/?]))`;

const URLS = new RegExp(
  [
    String.raw`\/(?<=(?:${WEBHOOKS})\/)[\w/@.-]{8,}`,
    // A quote behind an `@` of the password: the last `@` before a host ends it.
    String.raw`:\/\/(?<quoted>[^\s:/@?#"'<>\\]{0,128}:)(?=[^\s/?#"'<>\\]{0,256}@[^\s/?#"'<>\\@]{0,128}["'<>](?![\s,;:)\]}]))${QUOTED}{1,256}(?=@${HOST})`,
    // User info: host and user are what one looks for in a trace, so only the password goes.
    String.raw`:\/\/(?:(?<user>[^\s:/@?#"'<>\\]*):[^\s/?#"'<>\\]*(?=@)|(?<token>[\w.~%+-]{20,})(?=@))`,
    // A password that should have been encoded: with blanks, quotes, `/` or `#`. Behind the name of a host is a port.
    String.raw`:\/\/(?<loose>[^\s:/@?#"'<>\\]{0,128}:)(?!\d{1,5}(?:[/?#\s"'<>]|$)|\/\/|[Pp][Oo][Rr][Tt]\b|\$?[{[]|%[sd])${LOOSE_PASSWORD}`,
    // jdbc:oracle:thin:user/password@host
    String.raw`:(?<=:thin:)(?<oracle>[^\s:/@]{1,64}\/)[^\s/@]{1,128}(?=@)`,
    // user:password@tcp(host)
    String.raw`:[^\s:@/"']{1,256}(?=@(?:tcp|udp|unix)\()`,
  ].join('|'),
  'g',
);

interface Found {
  readonly user?: string;
  readonly loose?: string;
  readonly quoted?: string;
  readonly token?: string;
  readonly oracle?: string;
}

/** Passwords in addresses, and addresses that are secrets themselves. */
export function maskUrls(text: string, { hasAt, hasColon }: Marks, replacement: string): string {
  if (!hasAt && !(hasColon && text.includes('://'))) return text;
  return text.replace(URLS, (match: string, ...rest: unknown[]) => {
    // The last argument holds the named groups, since the expression has some.
    const { user, loose: blank, quoted, token, oracle } = rest.at(-1) as Found;
    const loose = blank ?? quoted;
    if (user !== undefined) return maskedLogin(user, match.length === user.length + 4, replacement);
    if (loose !== undefined) return `://${loose}${replacement}`;
    if (token !== undefined) return looksRandom(token) ? `://${replacement}` : match;
    return oracle === undefined ? match.charAt(0) + replacement : `:${oracle}${replacement}`;
  });
}

/** A token may stand in place of the user, before a password that says nothing: `x-oauth-basic`, or none. */
function maskedLogin(user: string, isOpen: boolean, replacement: string): string {
  const shown = user.length >= 20 && looksRandom(user) ? replacement : user;
  return isOpen ? `://${shown}:` : `://${shown}:${replacement}`;
}
