import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export function projectOfFolder(folder: string): string {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string };
    return `local/${(name ?? basename(folder)).replace(/^@/, '').replace('/', '-')}`;
  } catch {
    return `local/${basename(folder)}`;
  }
}
