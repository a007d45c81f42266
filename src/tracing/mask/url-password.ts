/** An address with a user, from the user on. */
export interface Login {
  readonly scheme: string;
  readonly user: string;
  /** Where the password begins, if it is one: a port stands there, too. */
  readonly from: number;
  /** Stands before the address. */
  readonly opening: string;
}

/** Longer passwords end at the first letter that would have to be encoded. */
const MAX_LENGTH = 384;

const SEPARATOR = '://';

/** Quotes and angles stand in a password, and end an address where a text goes on as behind one. */
const ADDRESS = /^(?:[^\s"'<>]| |["'](?![\s,;:)\]}]|\\[nrt])|<(?!\/[\w:-]{1,64}>)|>(?![\s,;:)\]}]))+/;

/** Another address begins: a scheme behind what separates, or one that everybody knows. */
const NEXT =
  /(?:[\s,;|"'<>()[\]{}=]|\\[nrt])[a-z][\w+.-]{1,31}:\/\/|(?:https?|wss?|s?ftp|ssh|git|s3|file|rediss?|postgres(?:ql)?|mysql|mongodb|amqps?):\/\//i;

/** `@` and the name of a host, whatever stands in its place, up to what can stand behind it. */
const AT_HOST =
  /@(?:(?<plain>(?:\d{1,3}\.){3}\d{1,3}|(?:[\w-]{1,63}\.){1,8}[a-z][a-z-]{1,62}|localhost|\[[\da-f:.]{2,45}\]|\$?\{[\w.]{1,64}\}|%[sd]|<[\w-]{1,64}>|[\w-]{1,63}(?=:\d{1,5}(?!\w)))(?![\w@-]|\.\w)|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}(?![\w@])|[\w-]{1,63}(?=[:/?#,;)\]}"'\s\\]|$))(?<strong>:\d|\/)?/gi;

/** Up to the `@` of an address as it should be. */
const ENCODED = /[^\s/?#"'<>\\]*(?=@)/y;

/** Characters that should have been encoded. */
const LOOSE = /[\s/?#]|\\[nrt]/;

/** In the paths of these an `@` is nothing special; in the name of a database it is. */
const WITH_PATHS = /^(?:(?:git|npm|svn|hg)\+.*|https?|wss?|ftps?|sftp|ssh|git|npm|docker|oci|davs?|file)$/i;

/** A port, its name, or the version of an image. */
const PORT = /^(?:\d{1,5}(?=[/?#\s"'<>\\])|port\b|\d[\d.]{0,16} )/i;
const USUAL_PORT = /^(?:80|443|\d{4,5})$/;

/** A port that is filled in later. */
const PLACEHOLDER = /^(?:\$?\{\{?[\w. ]{0,64}\}|\$?\[[\w. ]{0,64}\]|%[sd]|\$[A-Z_]{2,}\b)/;

const HOST_NAME = /^(?:localhost|host(?:name)?|server|(?:\d{1,3}\.){3}\d{1,3}|(?:[\w-]+\.)+[a-z]{2,63})$/i;

const IN_QUERY = /[?&][\w.-]{1,64}=[^@\s/]*$/;

/** The name of a host without a dot, in a sentence or a list. */
const ENDS_IN_TEXT = /^@[\w-]{1,63}[,;)\]}]\s/;

interface Candidate {
  readonly before: string;
  readonly blanks: number;
  /** Does it look like the name of a host, not like the rest of a password? */
  readonly isPlain: boolean;
  /** A port or a path follows. */
  readonly isStrong: boolean;
}

/** Where the password ends: at the last `@` before a host. `undefined` when there is none, as behind the name of a host. */
export function endOfPassword(text: string, login: Login): number | undefined {
  const { from, user } = login;
  const address = addressAt(text, login);
  if (/^https?$/i.test(user) || PLACEHOLDER.test(address)) return endOfEncoded(text, from);
  let end: number | undefined;
  let isPlain = false;
  for (const { 0: match, index, groups } of address.matchAll(AT_HOST)) {
    const before = address.slice(end ?? 0, index);
    const candidate = {
      before,
      blanks: before.match(/ |\\[nrt]/g)?.length ?? 0,
      isPlain: groups?.['plain'] !== undefined,
      isStrong: groups?.['strong'] !== undefined || /[:/?]/.test(address.charAt(index + match.length)),
    };
    const isEnd = end === undefined ? endsFirst(candidate, login) : goesOn(candidate, isPlain, login);
    if (!isEnd) continue;
    end = index;
    ({ isPlain } = candidate);
  }
  return end === undefined ? endOfEncoded(text, from) : from + end;
}

function addressAt(text: string, { from, opening }: Login): string {
  const address = ADDRESS.exec(text.slice(from, limitOf(text, from)))?.[0] ?? '';
  const next = address.includes(SEPARATOR) ? NEXT.exec(address)?.index : undefined;
  // An element ends behind the value of its attribute.
  const close = opening === '"' || opening === "'" ? [`${opening}>`, `${opening}/>`] : [];
  const ends = close.map((mark) => address.indexOf(mark)).filter((at) => at !== -1);
  return address.slice(0, Math.min(next ?? MAX_LENGTH, ...ends));
}

/** One `://` may be part of a password. So no part of a text is looked at for more than two addresses. */
function limitOf(text: string, from: number): number {
  const first = text.indexOf(SEPARATOR, from);
  const second = first === -1 ? -1 : text.indexOf(SEPARATOR, first + SEPARATOR.length);
  return second === -1 ? from + MAX_LENGTH : Math.min(second, from + MAX_LENGTH);
}

function endOfEncoded(text: string, from: number): number | undefined {
  ENCODED.lastIndex = from;
  const match = ENCODED.exec(text);
  return match === null ? undefined : from + match[0].length;
}

/** Is what stands before the first `@` a password, or a port and a path? */
function endsFirst(candidate: Candidate, login: Login): boolean {
  const { before, blanks, isStrong } = candidate;
  if (!LOOSE.test(before)) return true;
  // `https://a.test: …` begins a sentence.
  if (before.startsWith(' ')) return blanks <= 2 && isStrong && !HOST_NAME.test(login.user);
  const port = PORT.exec(before)?.[0];
  if (port !== undefined) return !isPort(port.trim(), candidate, login);
  // Behind many words an address of mail may stand.
  return blanks <= 2 || (blanks <= 8 && isStrong);
}

function isPort(port: string, { before, blanks, isPlain, isStrong }: Candidate, { scheme, user }: Login): boolean {
  const path = before.slice(port.length);
  const hasPaths = WITH_PATHS.test(scheme);
  if (/^localhost$/i.test(user) || (HOST_NAME.test(user) && (hasPaths || blanks > 0))) return true;
  if (IN_QUERY.test(path)) return true;
  if (path.endsWith('/') && (hasPaths || !isPlain)) return true;
  if (blanks > 0) {
    const isWord = Number.isNaN(Number(port.charAt(0)));
    return (
      (hasPaths && !isWord && /^[/?#\s]/.test(path)) || blanks > 2 || ((blanks > 1 || /^[/?#]/.test(path)) && !isStrong)
    );
  }
  return hasPaths && (!isPlain || (USUAL_PORT.test(port) && /^\/[^/]*\//.test(path)));
}

/** Is the host so far a part of the password? */
function goesOn({ before, blanks, isPlain, isStrong }: Candidate, wasPlain: boolean, { scheme }: Login): boolean {
  if (!LOOSE.test(before)) return true;
  if (IN_QUERY.test(before)) return false;
  if (wasPlain && (blanks > 0 || before.endsWith('/') || WITH_PATHS.test(scheme))) return false;
  if (ENDS_IN_TEXT.test(before) || (before.endsWith('/') && !isPlain)) return false;
  return blanks <= 2 || (blanks <= 8 && isStrong);
}
