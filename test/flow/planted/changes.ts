import type { Origin } from 'spoor/reader';
import { type ShopState, USUAL_SHOP } from './shop.ts';

/** What is other in the second run, and what has to be said of it. */
export interface PlantedChange {
  readonly what: string;
  /** Lines of the program, as they are and as they become. */
  readonly lines?: readonly [from: string, to: string];
  readonly env?: Readonly<Record<string, string>>;
  readonly shop?: Partial<ShopState>;
  /** Bytes of the photo that the customer sends. */
  readonly photo?: string;
  readonly kind: Origin['kind'] | 'time';
  readonly op: string;
  /** The line in which `spoor diff` tells it. */
  readonly said: RegExp;
}

export const CHAT = 'openai.chat.completions.create';
export const EMBEDDING = 'openai.embeddings.create';

const [first = '', ...others] = USUAL_SHOP.documents;

/** Longer texts are kept as files. */
const LONG = 'The parcel was wet. '.repeat(4000);

/** What the customer sends along, in the run that the others are compared with. */
export const USUAL_OPTIONS = { notes: LONG, urgent: false };
export const USUAL_PHOTO = 'a photo of a parcel '.repeat(100);

const options = (change: object): Record<string, string> => ({
  OPTIONS: JSON.stringify({ ...USUAL_OPTIONS, ...change }),
});

export const CHANGES: readonly PlantedChange[] = [
  {
    what: 'a line of a step',
    lines: ['order = /#(\\d+)/.exec(question)?.[1];', "order = /#(\\d+)/.exec(question)?.[1] ?? '0';"],
    kind: 'code',
    op: 'plan',
    said: /^code of plan: v\d+ → v\d+$/,
  },
  {
    what: 'a line of a step that makes another answer of it',
    lines: ['.slice(0, 3);', '.slice(0, 1);'],
    kind: 'code',
    op: 'rank',
    said: /^code of rank: v\d+ → v\d+$/,
  },
  {
    what: 'a line of the outermost function that calls a step twice',
    lines: ['const passages = rank(', 'await embed(question);\n    const passages = rank('],
    kind: 'code',
    op: 'answer',
    said: /^code of answer: v\d+ → v\d+$/,
  },
  {
    what: 'a line of a function that is not traced',
    lines: ['/[a-z]{4,}/g', '/[a-z]{2,}/g'],
    kind: 'output',
    op: 'plan',
    said: /^output of plan, which is given the same$/,
  },
  {
    what: 'a published prompt',
    lines: ['You help customers of a shop.', 'You help customers of a shop, and are kind.'],
    kind: 'object',
    op: 'write',
    said: /^object support_prompt: v\d+ → v\d+, which write is given$/,
  },
  {
    what: 'a prompt in the middle of the program',
    lines: ['Answer in two sentences.', 'Answer in one sentence.'],
    kind: 'input',
    op: CHAT,
    said: /^input of openai\.chat\.completions\.create: \S*messages\.0\.content$/,
  },
  {
    what: 'a model',
    env: { MODEL: 'local-large' },
    kind: 'model',
    op: CHAT,
    said: /^model of openai\.chat\.completions\.create: .*"local-small" → "local-large"/,
  },
  {
    what: 'a model of embeddings',
    env: { EMBEDDER: 'embed-large' },
    kind: 'model',
    op: EMBEDDING,
    said: /^model of openai\.embeddings\.create: .*"embed-small" → "embed-large"/,
  },
  {
    what: 'a temperature',
    env: { TEMPERATURE: '0.9' },
    kind: 'settings',
    op: CHAT,
    said: /^settings of openai\.chat\.completions\.create: \S*temperature: 0\.2 → 0\.9$/,
  },
  {
    what: 'how long an answer may be',
    env: { MAX_TOKENS: '90' },
    kind: 'settings',
    op: CHAT,
    said: /^settings of openai\.chat\.completions\.create: \S*max_tokens: 200 → 90$/,
  },
  {
    what: 'a document of the index',
    shop: { documents: [`${first} Not on Sundays.`, ...others] },
    kind: 'output',
    op: 'search',
    said: /^output of search, which is given the same$/,
  },
  {
    what: 'a document that is gone from the index',
    shop: { documents: others },
    kind: 'output',
    op: 'search',
    said: /^output of search, which is given the same$/,
  },
  {
    what: 'what a tool answers',
    shop: { orderState: 'lost' },
    kind: 'output',
    op: 'look_up_order',
    said: /^output of look_up_order, which is given the same$/,
  },
  {
    what: 'the question',
    env: { QUESTION: 'Can I return my order #1042?' },
    kind: 'input',
    op: 'answer',
    said: /^input of answer: question$/,
  },
  {
    what: 'an option that was not given before',
    env: options({ limit: 2 }),
    kind: 'input',
    op: 'answer',
    said: /^input of answer: options\.limit$/,
  },
  {
    what: 'a picture',
    photo: `${USUAL_PHOTO}, torn`,
    kind: 'input',
    op: 'answer',
    said: /^input of answer: options\.photo$/,
  },
  {
    what: 'the end of a text that is too long for a record',
    env: options({ notes: `${LONG}And torn.` }),
    kind: 'input',
    op: 'answer',
    said: /^input of answer: options\.notes$/,
  },
  {
    what: 'a tool that fails',
    shop: { failure: { status: 503, words: 'in maintenance' } },
    kind: 'output',
    op: 'look_up_order',
    said: /^look_up_order, which is given the same, fails in B$/,
  },
  {
    what: 'a model that answers otherwise',
    shop: { modelAdds: ' Yours, the shop.' },
    kind: 'output',
    op: CHAT,
    said: /^output of openai\.chat\.completions\.create, which is given the same$/,
  },
  {
    what: 'a service that is slower',
    shop: { searchMs: 3000 },
    kind: 'time',
    op: 'search',
    said: /^time of search, without what it calls: .* → \d+\.\d+ s$/,
  },
];
