import type { Finding } from './finding.ts';

const OLDEST = [20, 19] as const;

/** `version` without a leading `v`. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isSupported = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (isSupported) return { level: 'ok', about: 'node', message: version };
  const message = `${version} is older than ${OLDEST.join('.')}`;
  return { level: 'problem', about: 'node', message, advice: `Install Node ${OLDEST.join('.')} or newer` };
}
