/**
 * Text that leads to an address, where the terminal makes a link of it: the sequence OSC 8
 * (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda). Elsewhere the text alone.
 */
export function linked(text: string, address: () => string): string {
  return HAS_LINKS ? `\u001b]8;;${address()}\u001b\\${text}\u001b]8;;\u001b\\` : text;
}

/** Terminals that have links, by the variables that they set. A list: terminals can't be asked, and some show the sequence. */
const PROGRAMS = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio', 'zed']);
const TERMS = /^(?:xterm-kitty|alacritty|foot|xterm-ghostty|wezterm|contour)\b/;
const SINCE_VTE = 5000;

const OFF = new Set(['0', 'false', 'no', 'off']);

/** `FORCE_HYPERLINK` says it for all others, as other programs take it. */
export function wantsLinks(environment: NodeJS.ProcessEnv, isTerminal: boolean | undefined): boolean {
  const forced = environment['FORCE_HYPERLINK'];
  if (forced !== undefined && forced !== '') return !OFF.has(forced.toLowerCase());
  if (isTerminal !== true || environment['CI'] !== undefined || environment['TERM'] === 'dumb') return false;
  // Multiplexers pass on what the terminal behind them may not know.
  if (environment['TMUX'] !== undefined || environment['TERM']?.startsWith('screen') === true) return false;
  return (
    PROGRAMS.has(environment['TERM_PROGRAM'] ?? '') ||
    TERMS.test(environment['TERM'] ?? '') ||
    Number(environment['VTE_VERSION'] ?? 0) >= SINCE_VTE ||
    ['WT_SESSION', 'KONSOLE_VERSION', 'DOMTERM'].some((name) => environment[name] !== undefined)
  );
}

const HAS_LINKS = wantsLinks(process.env, process.stdout.isTTY);
