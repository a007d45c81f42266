import { isKeyMember, isPassName } from './secret-sibling.ts';

/** The kind of a value within a text, by the name of its member. */
export type KeyKind = (typeof KEY_KINDS)[keyof typeof KEY_KINDS];

export const KEY_KINDS = {
  plain: 0,
  secret: 1,
  /** A password where a login is beside it. */
  pass: 2,
  /** Not public where the kind of a JSON Web Key is beside it. */
  ofKey: 3,
  /** Its value may be the name of a secret, which stands behind it: `key="DbPassword" value="…"`. */
  naming: 4,
  /** The same the other way round. */
  named: 5,
  /** Stands between a name and its value: `const token: string = '…'`. */
  type: 6,
} as const;

const TYPES = new Set(['string', 'String', 'str']);

const NAMING = new Set(['key', 'name', 'Key', 'Name', 'KEY', 'NAME']);

/** The rules on names of members, the built-in ones and those of the program. */
interface Names {
  isSecret(key: string): boolean;
  isAllowed(key: string): boolean;
}

/** One look tells for nearly every name that nothing has to be looked for around it. */
export function kindOfKey(key: string, names: Names): KeyKind {
  if (names.isSecret(key)) return KEY_KINDS.secret;
  if (TYPES.has(key)) return KEY_KINDS.type;
  if (NAMING.has(key)) return KEY_KINDS.naming;
  if (key === 'value' || key === 'Value') return KEY_KINDS.named;
  // As it stands before a sign: `--pass=`.
  const isPass = isPassName(key.replace(/^--/, ''));
  if ((!isPass && !isKeyMember(key)) || names.isAllowed(key)) return KEY_KINDS.plain;
  return isPass ? KEY_KINDS.pass : KEY_KINDS.ofKey;
}
