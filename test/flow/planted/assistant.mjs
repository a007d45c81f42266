// The assistant of a shop, as its developers would write it: it answers one question of a customer. The test runs it again
// and again, each time with one thing changed. It is run with `spoor` and `openai` as the test has them.
import { readFileSync } from 'node:fs';
import OpenAI from 'openai';
import { publish, StringPrompt, traced } from 'spoor';
import { wrapOpenAI } from 'spoor/openai';

const { MODEL_URL, SHOP_URL, MODEL = 'local-small', TEMPERATURE = '0.2', MAX_TOKENS = '200' } = process.env;
const { EMBEDDER = 'embed-small', QUESTION = 'Where is my order #1042?', OPTIONS = '{}', PHOTO } = process.env;

const client = wrapOpenAI(new OpenAI({ apiKey: 'none', baseURL: MODEL_URL, maxRetries: 0 }));
const tone = 'Answer in two sentences.';
const prompt = new StringPrompt({ name: 'support_prompt', content: 'You help customers of a shop.\n{passages}' });
publish(prompt);

function wordsIn(text) {
  return text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
}

async function ask(path, query = {}) {
  const url = new URL(path.join('/'), SHOP_URL);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The shop answers ${response.status}: ${await response.text()}`);
  return response.json();
}

const plan = traced(function plan(question) {
  const order = /#(\d+)/.exec(question)?.[1];
  return { words: wordsIn(question), order, askedAt: new Date().toISOString() };
});

const embed = traced(
  async function embed(text) {
    const { data } = await client.embeddings.create({ model: EMBEDDER, input: text, encoding_format: 'float' });
    return data[0].embedding;
  },
  { kind: 'embedding' },
);

const search = traced(
  async function search(words, limit) {
    const vector = await embed(words.join(' '));
    return ask(['search'], { words: words.join(','), near: vector[0], limit });
  },
  { kind: 'retriever' },
);

const rank = traced(function rank(passages, words) {
  const score = ({ text }) => wordsIn(text).filter((word) => words.includes(word)).length;
  return passages.toSorted((a, b) => score(b) - score(a)).slice(0, 3);
});

const lookUp = traced(
  async function lookUp(order) {
    return ask(['orders', order]);
  },
  { name: 'look_up_order', kind: 'tool' },
);

const write = traced(async function write(template, question, passages, state) {
  const known = [...passages.map(({ text }) => text), ['State:', state].join(' ')].join('\n');
  const { choices } = await client.chat.completions.create({
    model: MODEL,
    temperature: Number(TEMPERATURE),
    max_tokens: Number(MAX_TOKENS),
    messages: [
      { role: 'system', content: `${template.format({ passages: known })}\n${tone}` },
      { role: 'user', content: question },
    ],
  });
  return choices[0].message.content;
});

const answer = traced(
  async function answer(question, options) {
    const { words, order } = plan(question);
    const find = () => search(words, options.limit ?? 5);
    const state = () => lookUp(order).catch(() => ({ state: 'unknown' }));
    // Which of them begins first is another each time.
    const isLate = Math.random() < 0.5;
    const early = isLate ? undefined : find();
    const looked = state();
    const passages = rank(await (early ?? find()), words);
    return write(prompt, question, passages, (await looked).state);
  },
  { kind: 'agent' },
);

const photo = PHOTO === undefined ? {} : { photo: readFileSync(PHOTO) };
console.log(await answer(QUESTION, { ...JSON.parse(OPTIONS), ...photo }));
