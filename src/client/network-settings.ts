import type { Network } from '../delivery/transport/network.ts';
import { builtin } from '../host/builtin.ts';
import type { InitOptions } from './options.ts';
import type { Environment, ReadVariable } from './variables.ts';

type NetworkOptions = Pick<InitOptions, 'tlsCa' | 'tlsCert' | 'tlsKey' | 'tlsPassphrase' | 'dispatcher'>;

/** The network by options and variables. Throws a `TypeError` for a file that cannot be read or is no PEM. */
export function readNetwork(options: NetworkOptions, variable: ReadVariable, environment: Environment): Network {
  const { tlsCa, tlsCert, tlsKey, dispatcher } = options;
  return {
    ca: tlsCa ? toPem(tlsCa, 'tlsCa') : variable('SPOOR_TLS_CA', toPem),
    cert: tlsCert ? toPem(tlsCert, 'tlsCert') : variable('SPOOR_TLS_CERT', toPem),
    key: tlsKey ? toPem(tlsKey, 'tlsKey') : variable('SPOOR_TLS_KEY', toPem),
    passphrase: options.tlsPassphrase || environment['SPOOR_TLS_PASSPHRASE'] || undefined,
    dispatcher,
  };
}

const PEM = /-----BEGIN [A-Z0-9 ]+-----/;

/** The text itself, or that of the file which it names. What is no path is not shown: it may be a key. */
function toPem(textOrFile: string, source: string): string {
  if (PEM.test(textOrFile)) return textOrFile;
  const isPath = !textOrFile.includes('\n') && textOrFile.length <= MAX_PATH;
  if (!isPath) throw new TypeError(`Cannot use ${source}: expected PEM, or a file of it`);
  let text: string;
  try {
    text = builtin('node:fs').readFileSync(textOrFile, 'utf8');
  } catch (cause) {
    // What is no path may be a key in another form: neither it nor what the system says of it is shown.
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    // oxlint-disable-next-line preserve-caught-error -- the cause names what may be a key
    throw new TypeError(`Cannot use ${source}${shown(textOrFile)}: ${code}`);
  }
  if (!PEM.test(text)) throw new TypeError(`Cannot use ${source}${shown(textOrFile)}: expected a file of PEM`);
  return text;
}

/** Longer than any path that systems take. */
const MAX_PATH = 4096;

/** A path that looks like one. */
function shown(path: string): string {
  return /^[\w./\\: -]{1,255}\.\w{1,8}$/.test(path) ? ` "${path}"` : '';
}
