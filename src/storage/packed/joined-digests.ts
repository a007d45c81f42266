/** Digests have no spaces. */
export function joinDigests(digests: readonly string[]): string {
  return digests.join(' ');
}

export function splitDigests(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split(' ');
}
