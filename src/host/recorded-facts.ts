/** Variables that switch off what is recorded of the process beside its calls, with `0`, `false`, `no` or `off`. */
export const HOST_VARIABLE = 'SPOOR_RECORD_HOST';
export const GIT_VARIABLE = 'SPOOR_RECORD_GIT';

/** May the name of this machine be told? */
export function isHostTold(): boolean {
  return !isOff(HOST_VARIABLE);
}

/** May be told what git says of the program, and may git be asked? */
export function isGitTold(): boolean {
  return !isOff(GIT_VARIABLE);
}

function isOff(variable: string): boolean {
  return ['0', 'false', 'no', 'off'].includes(process.env[variable]?.toLowerCase() ?? '');
}
