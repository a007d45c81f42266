import { createRequire } from 'node:module';

export interface EmojiDescription {
  /** Short name in colons. */
  readonly alias: string;
  /** The emoji without skin tone. */
  readonly detoned: string;
  readonly detoned_alias: string;
}

type EmojiData = Readonly<Record<string, { readonly slug: string }>>;

const TONES: Readonly<Record<string, string>> = {
  '\u{1F3FB}': 'light_skin_tone',
  '\u{1F3FC}': 'medium_light_skin_tone',
  '\u{1F3FD}': 'medium_skin_tone',
  '\u{1F3FE}': 'medium_dark_skin_tone',
  '\u{1F3FF}': 'dark_skin_tone',
};

const TONE = /[\u{1F3FB}-\u{1F3FF}]/gu;
const ONE_EMOJI = new RegExp('^\\p{RGI_Emoji}$', 'v');

/** Pairs whose two tones differ are spelled as two people; without tones they are one character. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['👩‍🤝‍👩', '👭'],
  ['👩‍🤝‍👨', '👫'],
  ['👨‍🤝‍👨', '👬'],
  ['🧑‍❤️‍🧑', '💑'],
  ['🧑‍❤️‍💋‍🧑', '💏'],
  ['🫱‍🫲', '🤝'],
]);

let data: EmojiData | undefined;

/** Names of a text that is exactly one emoji; undefined for any other. */
export function describeEmoji(text: string): EmojiDescription | undefined {
  const tones = text.match(TONE) ?? [];
  // A tone makes one picture only with an emoji that takes it.
  if (tones.length > 0 && !ONE_EMOJI.test(text)) return undefined;
  const detoned = findEmoji(text.replace(TONE, ''));
  const slug = detoned && allEmoji()[detoned]?.slug;
  if (detoned === undefined || slug === undefined) return undefined;
  const toneNames = [...new Set(tones)].map((tone) => `_${TONES[tone] ?? ''}`).join('');
  return { alias: `:${slug}${toneNames}:`, detoned, detoned_alias: `:${slug}:` };
}

/** The emoji of the list that a text without tones means; variation selectors may be there or not. */
function findEmoji(text: string): string | undefined {
  const emoji = PAIRS.get(text) ?? text;
  const spellings = [emoji, emoji.replaceAll('\uFE0F', ''), withSelector(emoji)];
  return spellings.find((spelling) => Object.hasOwn(allEmoji(), spelling));
}

function withSelector(emoji: string): string {
  const [first = '', ...rest] = emoji.replaceAll('\uFE0F', '');
  return [first, '\uFE0F', ...rest].join('');
}

/** Half a megabyte that is read with the first reaction. */
function allEmoji(): EmojiData {
  data ??= createRequire(import.meta.url)('unicode-emoji-json/data-by-emoji.json') as EmojiData;
  return data;
}
