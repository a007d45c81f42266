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

/** Knows thousands of sequences, so it is made with the first tone: that takes longer than loading most files. */
let oneEmoji: RegExp | undefined;

/** Pairs whose two tones differ are spelled as two people; without tones they are one character. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['👩‍🤝‍👩', '👭'],
  ['👩‍🤝‍👨', '👫'],
  ['👨‍🤝‍👨', '👬'],
  ['🧑‍❤️‍🧑', '💑'],
  ['🧑‍❤️‍💋‍🧑', '💏'],
  ['🫱‍🫲', '🤝'],
]);

const SELECTOR = '\uFE0F';

/** A selector without anything before it to select. */
const STRAY_SELECTOR = /(?:^|\u200D|\uFE0F)\uFE0F/;

/** Names of a text that is exactly one emoji, with its variation selectors or without; undefined for any other. */
export function describeEmoji(text: string): EmojiDescription | undefined {
  const bare = text.replaceAll(SELECTOR, '');
  const listed = allEmoji().get(bare.replace(TONE, ''));
  if (listed === undefined || STRAY_SELECTOR.test(text)) return undefined;
  const tones = text.match(TONE) ?? [];
  // A tone makes one picture only with an emoji that takes it.
  oneEmoji ??= tones.length > 0 ? new RegExp('^\\p{RGI_Emoji}$', 'v') : undefined;
  if (tones.length > 0 && !oneEmoji?.test(withSelectors(bare, listed.spelling))) return undefined;
  const toneNames = [...new Set(tones)].map((tone) => `_${TONES[tone] ?? ''}`).join('');
  return { alias: `:${listed.slug}${toneNames}:`, detoned: listed.detoned, detoned_alias: `:${listed.slug}:` };
}

/** An emoji with tones and without selectors, with those that its spelling has, unless a tone has taken their place. */
function withSelectors(bare: string, spelling: string): string {
  const characters = [...bare];
  let spelled = '';
  for (const character of spelling) {
    if (character !== SELECTOR) spelled += characters.shift() ?? '';
    else if (!TONES[[...spelled].at(-1) ?? '']) spelled += SELECTOR;
    if (TONES[characters[0] ?? '']) spelled += characters.shift() ?? '';
  }
  return spelled + characters.join('');
}

interface ListedEmoji {
  /** As it is spelled where tones can be put in, with all of its selectors. */
  readonly spelling: string;
  readonly detoned: string;
  readonly slug: string;
}

let listedEmoji: ReadonlyMap<string, ListedEmoji> | undefined;

/** By their spelling without selectors. Half a megabyte that is read with the first reaction. */
function allEmoji(): ReadonlyMap<string, ListedEmoji> {
  if (listedEmoji) return listedEmoji;
  const data = createRequire(import.meta.url)('unicode-emoji-json/data-by-emoji.json') as EmojiData;
  const spellings = [...Object.keys(data).map((emoji) => [emoji, emoji] as const), ...PAIRS];
  listedEmoji = new Map(
    spellings.map(([spelling, detoned]) => {
      return [spelling.replaceAll(SELECTOR, ''), { spelling, detoned, slug: data[detoned]?.slug ?? '' }];
    }),
  );
  return listedEmoji;
}
