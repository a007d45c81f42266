import { instrumentMethod } from 'spoor/instrument';
import type { IntegrationUnderTest } from 'spoor/testing';

export const FAILURE = new RangeError('The oracle is silent');

/** A library as there are many. */
export class Oracle {
  made = 0;

  async ask(question: unknown): Promise<{ readonly model: string; readonly text: string; readonly tokens: number }> {
    if (question === 'Why?') throw FAILURE;
    return { model: 'delphi', text: `You ask ${typeof question}`, tokens: 3 };
  }

  /** Answers at once. */
  count(words: string): number {
    return words.split(' ').length;
  }

  async *stream(words: string): AsyncGenerator<string> {
    for (const word of words.split(' ')) {
      this.made += 1;
      yield word;
    }
  }
}

/** As the guide writes one. */
export function instrumentOracle(oracle: Oracle): Oracle {
  instrumentMethod(oracle, 'ask', {
    library: 'oracle',
    name: 'oracle.ask',
    kind: 'llm',
    inputs: (question) => ({ question }),
    usage: ({ model, tokens }) => ({ model, output: tokens }),
  });
  instrumentMethod(oracle, 'count', { library: 'oracle', name: 'oracle.count', inputs: (words) => ({ words }) });
  instrumentMethod(oracle, 'stream', {
    library: 'oracle',
    name: 'oracle.stream',
    inputs: (words) => ({ words }),
    aggregate: (chunks) => chunks.join(' '),
  });
  return oracle;
}

export const ORACLE: IntegrationUnderTest<Oracle> = {
  name: 'oracle',
  create: () => new Oracle(),
  instrument: instrumentOracle,
  calls: {
    'a question': {
      act: (oracle) => oracle.ask('Who?'),
      actWith: (oracle, argument) => oracle.ask(argument),
      op: 'oracle.ask',
      kind: 'llm',
      inputs: { question: 'Who?' },
      output: { model: 'delphi', text: 'You ask string', tokens: 3 },
      usage: { delphi: { requests: 1, output: 3 } },
    },
    'a question without an answer': { act: (oracle) => oracle.ask('Why?'), op: 'oracle.ask', error: FAILURE },
    'a sum': { act: (oracle) => oracle.count('one two'), op: 'oracle.count', output: 2 },
    'a stream': {
      act: (oracle) => oracle.stream('north by north west'),
      op: 'oracle.stream',
      output: 'north by north west',
      stream: { made: ({ made }) => made },
    },
  },
};
