import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { describeEmoji } from '../../src/server/ingest/feedback/describe-emoji.ts';

type EmojiData = Readonly<Record<string, { readonly slug: string; readonly skin_tone_support: boolean }>>;

const EMOJI = Object.entries(createRequire(import.meta.url)('unicode-emoji-json/data-by-emoji.json') as EmojiData);
const TONE = '\u{1F3FD}';

const withoutSelectors = (text: string) => text.replaceAll('\uFE0F', '');

/** The tone stands behind the first character, in the place of its selector. */
function toned(emoji: string): string {
  const [first = '', ...rest] = emoji;
  return first + TONE + rest.join('').replace(/^\uFE0F/, '');
}

test('every emoji is known, with its selectors and without', () => {
  expect(EMOJI.length).toBeGreaterThan(1500);
  for (const [emoji, { slug }] of EMOJI) {
    const description = { alias: `:${slug}:`, detoned: emoji, detoned_alias: `:${slug}:` };
    expect([describeEmoji(emoji), describeEmoji(withoutSelectors(emoji))]).toEqual([description, description]);
  }
});

test('an emoji that takes a tone is known with it', () => {
  const picture = new RegExp('^\\p{RGI_Emoji}$', 'v');
  const taking = EMOJI.filter(([emoji, data]) => data.skin_tone_support && picture.test(toned(emoji)));
  expect(taking.length).toBeGreaterThan(250);
  for (const [emoji, { slug }] of taking) {
    const description = { alias: `:${slug}_medium_skin_tone:`, detoned: emoji, detoned_alias: `:${slug}:` };
    const text = toned(emoji);
    expect([describeEmoji(text), describeEmoji(withoutSelectors(text))]).toEqual([description, description]);
  }
});

test.each([
  ['🧑🏻‍❤️‍🧑🏿', '💑', ':couple_with_heart_light_skin_tone_dark_skin_tone:'],
  ['🧑🏻‍❤‍🧑🏿', '💑', ':couple_with_heart_light_skin_tone_dark_skin_tone:'],
  ['🫱🏻‍🫲🏿', '🤝', ':handshake_light_skin_tone_dark_skin_tone:'],
  ['👨🏻‍❤️‍💋‍👨🏻', '👨‍❤️‍💋‍👨', ':kiss_man_man_light_skin_tone:'],
  ['1⃣', '1️⃣', ':keycap_1:'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', ':flag_england:'],
])('the sequence %s is one emoji', (emoji, detoned, alias) => {
  expect(describeEmoji(emoji)).toMatchObject({ alias, detoned });
});

test.each([
  ['a digit', '1'],
  ['half a flag', '🇩'],
  ['a flag of no country', '🇽🇽'],
  ['a picture that is to be shown as text', '❤︎'],
  ['a joiner', '\u200D'],
  ['an open joiner', '👍\u200D'],
  ['a selector', '\uFE0F'],
  ['a selector before its character', '\uFE0F👍'],
  ['two selectors', '❤\uFE0F\uFE0F'],
  ['a tone', TONE],
  ['a tone on what takes none', `🐶${TONE}`],
  ['a tone before its emoji', `${TONE}👍`],
  ['two tones', `👍${TONE}${TONE}`],
])('%s is no emoji', (_name, text) => {
  expect(describeEmoji(text)).toBeUndefined();
});
