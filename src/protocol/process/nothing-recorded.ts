/** A library that was loaded, and its state. */
export interface LoadedLibrary {
  readonly library: string;
  readonly state: string;
}

/** Of a program that was to be recorded: what could have been, and what to do. */
export function nothingRecorded(libraries: readonly LoadedLibrary[], where = ''): string {
  const loaded = new Map(libraries.map(({ library, state }) => [library, state]));
  const names = [...loaded].map(([library, state]) => (state === 'captured' ? library : `${library} (${state})`));
  const nothing = `nothing was recorded${where && ` ${where}`}`;
  const advice = 'wrap functions with traced(), or see "spoor doctor"';
  return names.length === 0
    ? `${nothing}: no library that is captured was loaded; ${advice}`
    : `${nothing}, though ${names.join(', ')} was loaded: it was not called, or not from here; ${advice}`;
}
