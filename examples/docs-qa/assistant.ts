import type OpenAI from 'openai';
import { traced } from 'spoor';
import type { Ledger } from './ledger.ts';
import type { Library } from './library.ts';
import type { Message, Model } from './model.ts';
import type { Section } from './pages.ts';

const MAX_ATTEMPTS = 3;

const OPEN_PAGE: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'open_page',
    description: 'Reads one whole page of the documentation',
    parameters: { type: 'object', properties: { page: { type: 'string' } }, required: ['page'] },
  },
};

/** Raised when an answer names none of the passages it was given. */
export class MissingCitationError extends Error {
  override readonly name = 'MissingCitationError';
}

export interface AssistantOptions {
  readonly library: Library;
  readonly model: Model;
  readonly ledger: Ledger;
  readonly readPage: (page: string) => Promise<string>;
}

/** One conversation: it searches, lets the model open a page, streams an answer and insists on citations. */
export class Assistant {
  readonly #options: AssistantOptions;
  readonly #history: Message[] = [];

  constructor(options: AssistantOptions) {
    this.#options = options;
  }

  /** The answer piece by piece; an attempt without citation is thrown away and tried again. */
  @traced({ kind: 'agent', aggregate: (pieces: readonly string[]) => pieces.join('') })
  async *reply(question: string): AsyncGenerator<string> {
    this.#options.ledger.note('Assistant.reply');
    const passages = this.#options.library.search(question);
    const page = await this.consult(question, passages);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.draft(question, passages, page, attempt);
      try {
        this.verify(answer, passages);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error;
        continue;
      }
      this.#history.push({ role: 'user', content: question }, { role: 'assistant', content: answer });
      yield* answer.match(/\s*\S+/g) ?? [];
      return;
    }
  }

  /** Lets the model open a page with the tool, and returns what was read. */
  @traced
  async consult(question: string, passages: readonly Section[]): Promise<string> {
    this.#options.ledger.note('Assistant.consult');
    const message = await this.#options.model.complete(this.#prompt(question, passages, ''), [OPEN_PAGE]);
    const call = message.tool_calls?.[0];
    if (call?.type !== 'function') return '';
    const { page } = JSON.parse(call.function.arguments) as { page: string };
    return this.openPage(page);
  }

  @traced({ kind: 'tool', name: 'open_page' })
  async openPage(page: string): Promise<string> {
    this.#options.ledger.note('open_page');
    const text = await this.#options.readPage(page);
    return text.slice(0, 2000);
  }

  /** One attempt; from the second on the model is told to cite. */
  @traced
  async draft(question: string, passages: readonly Section[], page: string, attempt: number): Promise<string> {
    this.#options.ledger.note('Assistant.draft');
    const rule = attempt === 1 ? '' : 'Cite the passages you use as [1], [2] and so on.';
    let answer = '';
    for await (const piece of this.#options.model.stream(this.#prompt(question, passages, rule, page))) answer += piece;
    return answer.trim();
  }

  @traced
  verify(answer: string, passages: readonly Section[]): number {
    this.#options.ledger.note('Assistant.verify');
    const cited = [...answer.matchAll(/\[(\d+)\]/g)].filter(([, number]) => passages[Number(number) - 1] !== undefined);
    if (cited.length === 0) throw new MissingCitationError('The answer cites none of its passages');
    return cited.length;
  }

  #prompt(question: string, passages: readonly Section[], rule: string, page = ''): Message[] {
    const sources = passages.map(
      ({ page: source, title, text }, index) => `[${index + 1}] ${source}: ${title}. ${text}`,
    );
    const system = ['Answer from these passages only.', rule, ...sources, page]
      .filter((line) => line !== '')
      .join('\n');
    return [{ role: 'system', content: system }, ...this.#history, { role: 'user', content: question }];
  }
}
