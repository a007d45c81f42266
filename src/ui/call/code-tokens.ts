export type TokenKind = 'keyword' | 'string' | 'comment' | 'number' | 'function' | 'plain';

export interface CodeToken {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Longer sources are shown without colours: nobody reads them in one piece, and the page must answer. */
export const MAX_COLOURED = 200_000;

const SCRIPT_WORDS =
  'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface keyof let namespace new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined using var void while with yield';
const PYTHON_WORDS =
  'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield self';

const SCRIPT = {
  words: new Set(SCRIPT_WORDS.split(' ')),
  pattern:
    /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?|`(?:[^`\\]|\\[\s\S])*`?)|(?<number>\b(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?n?)\b)|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)/giu,
};
const PYTHON = {
  words: new Set(PYTHON_WORDS.split(' ')),
  pattern:
    /(?<comment>#[^\n]*)|(?<string>[rbfu]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?))|(?<number>\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b)|(?<word>[\p{L}_][\p{L}\p{N}_]*)/giu,
};

/** The source in lines of coloured pieces. Names of languages are the endings of their files. */
export function codeLines(source: string, ending: string): CodeToken[][] {
  const tokens = source.length > MAX_COLOURED ? [{ kind: 'plain', text: source } as const] : tokensOf(source, ending);
  const lines: CodeToken[][] = [[]];
  for (const { kind, text } of tokens) {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ kind, text: piece });
    }
  }
  return lines;
}

function tokensOf(source: string, ending: string): CodeToken[] {
  const { pattern, words } = ending === 'py' ? PYTHON : SCRIPT;
  const tokens: CodeToken[] = [];
  let done = 0;
  for (const match of source.matchAll(pattern)) {
    if (match.index > done) tokens.push({ kind: 'plain', text: source.slice(done, match.index) });
    done = match.index + match[0].length;
    tokens.push({ kind: kindOf(match, words, source[done]), text: match[0] });
  }
  if (done < source.length) tokens.push({ kind: 'plain', text: source.slice(done) });
  return tokens;
}

function kindOf({ groups }: RegExpExecArray, words: ReadonlySet<string>, next: string | undefined): TokenKind {
  if (groups?.['comment'] !== undefined) return 'comment';
  if (groups?.['string'] !== undefined) return 'string';
  if (groups?.['number'] !== undefined) return 'number';
  if (words.has(groups?.['word'] ?? '')) return 'keyword';
  return next === '(' ? 'function' : 'plain';
}
