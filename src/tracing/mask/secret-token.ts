import { LOOSE_PREFIXES, PREFIXES } from './secret-prefix.ts';

/** Where a token begins: behind no letter and no digit, or behind an escape of JSON or of a URL. */
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]|%[\dA-Fa-f]{2}))`;

/** The same for shapes whose parts may hold `-` and `_` themselves. */
const WHOLE_START = String.raw`(?:(?<![\w-])|(?<=\\[bfnrt]|%[\dA-Fa-f]{2}|(?:ops|sntrys)_))`;

/**
 * Shapes of tokens. Each begins with a character that is rare in prose and looks back for what stands before it, which
 * tells whose key it is and stays. Whatever is looked for ahead is taken or has a bound, so that no text takes
 * quadratic time.
 */
export const TOKENS: readonly string[] = [
  String.raw`[-_](?=[\w-]{10})(?:(?<=${START}(?:${PREFIXES})[-_])[\w-]{14,}|(?<=${START}(?:${LOOSE_PREFIXES})[-_])(?<loose>[\w-]{16,}))`,
  String.raw`_(?<=${START}(?:sntrys|ops|glc)_)[\w+/=-]{16,}`,
  String.raw`\.(?:(?<=${START}(?:SG|ya29|hv[sbr]|dp\.(?:pt|st|ct|sa|scim|audit)|dt0c01|pat\w{14}|\.?atlasv1)\.)[\w.-]{16,}|(?<=${START}sl\.)[\w-]{60,})`,
  // JSON Web Tokens, signed or encrypted: two to five parts, the first of which begins with `{"` and may be all that a cut left.
  String.raw`J(?<=${WHOLE_START}eyJ)[\w-]{8,}(?:(?:\.[\w-]*){1,4}|$)`,
  String.raw`A(?:(?:[KSB]IA|CCA)(?=[0-9A-Z]{16}(?![0-9A-Za-z]))|BSK(?=[\w+/=]{40})|Iza(?=[\w-]{30})|KID(?=[A-Za-z0-9]{32})|T(?:ATT3|CTT3|BB)(?=[\w=-]{30})|QVN(?=[\w-]{30})|AAA(?=[\w-]{7}:APA91b))(?<=${START}A[A-Z0-9Iza]{3,5})[\w+/=-]+(?::APA91b[\w-]+)?`,
  String.raw`S(?<=${START}S)K[0-9a-f]{32}(?![0-9A-Za-z])`,
  String.raw`E(?<=${START}E)(?:AA[A-Za-z0-9]{60,}|Z[AT]K\w{40,})`,
  // A secret key of 1Password, which opens an account.
  String.raw`A(?<=${START}A)3-[A-Z0-9]{6}-(?=[A-Z0-9-]{20})[A-Z0-9-]{20,40}`,
  // A JSON Web Token that was made base64 once more, as in a secret of Kubernetes.
  String.raw`Z(?<=${START}Z)XlK[\w+/=-]{24,}`,
  // A token of OpenShift, and an app's one of Facebook.
  String.raw`~(?<=${START}sha256~)[\w-]{43}`,
  String.raw`\|(?<=${START}\d{15,17}\|)[\w-]{27}(?![\w-])`,
  // A private key in PEM that was made base64, as in the files of kubectl.
  String.raw`L(?<=${START}L)(?:TAI\w{12,}|S0tLS1CRUdJTi(?!BDRVJU)[\w+/=]{40,})`,
  String.raw`1(?<=${START}1)\/\/0[\w-]{40,}`,
  String.raw`2(?<=${START}oy2)[a-z0-9]{43}(?![0-9A-Za-z])`,
  // A bot of Telegram, by the form of its token or by its address.
  String.raw`:(?:(?<=\d{8,12}:)AA[\w-]{30,}|(?<=\/bot\d{5,12}:)[\w-]{20,})`,
  // Shapes whose beginning has no rare character: found here, hidden by `WHOLE`.
  String.raw`(?<whole>-us\d(?<=[0-9a-f]{32}-us\d)|\dQ~|\.[\w-]{6}\.[\w-]{27}|\d(?=\w{16})(?<=(?:cio|dapi)\w{0,12}\d))`,
];

/** The shapes of which the last alternative finds the middle. */
export const WHOLE_TOKENS = new RegExp(
  [
    String.raw`${START}[0-9a-f]{32}-us\d{1,2}`,
    String.raw`${START}[\w~.-]{3}\dQ~[\w~.-]{31,}`,
    String.raw`${START}[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}`,
    String.raw`${START}(?:cio\w{32}|dapi[0-9a-fA-F]{32})`,
  ].join('|'),
  'g',
);

/** Letters and digits take turns, or small letters and capitals: neither words nor names of variables do it often. */
export function looksRandom(text: string): boolean {
  return (text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g)?.length ?? 0) >= 3;
}
