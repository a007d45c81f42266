import { readFileSync } from 'node:fs';

/** What the member `type` of a union can be, in the declarations of a package; members that have a name are looked up. */
export function memberTypes(path: string, name: string): string[] {
  const text = readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const seen = new Set<string>();
  const types = new Set<string>();
  const look = (wanted: string): void => {
    if (seen.has(wanted)) return;
    seen.add(wanted);
    const body = bodyOf(text, wanted);
    for (const [, type = ''] of body.matchAll(/\btype: '([a-z-]+)'/g)) types.add(type);
    // What members of members are is no part of the union.
    for (const [, member = ''] of body.replaceAll(/\{[^]*?\}|<[^>]*>/g, '').matchAll(/\b([A-Z]\w+)/g)) look(member);
  };
  look(name);
  return [...types];
}

/** Up to the semicolon that ends it, without the values of its members. */
function bodyOf(text: string, name: string): string {
  const start = new RegExp(`\\btype ${name}\\b[^=]*=`).exec(text);
  if (start === null) return '';
  let depth = 0;
  let body = '';
  for (const character of text.slice(start.index + start[0].length)) {
    if (character === '{') depth += 1;
    if (character === ';' && depth === 0) break;
    if (depth < 2) body += character;
    if (character === '}') depth -= 1;
  }
  return body;
}
