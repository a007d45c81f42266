const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `196 B`, `4.2 MB`: thousands, as disks count. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}
