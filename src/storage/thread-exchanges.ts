/** The request to a thread, and its answer. A map of them, by name, is all that two threads say to each other. */
export interface Exchange<Asked, Answer> {
  readonly asked: Asked;
  readonly answer: Answer;
}

type ExchangesOf<Exchanges> = { readonly [Op in keyof Exchanges]: Exchange<object, unknown> };

/** The request of one of these exchanges. */
export type RequestOf<Exchanges extends ExchangesOf<Exchanges>, Op extends keyof Exchanges> = {
  readonly op: Op;
} & Exchanges[Op]['asked'];

/** Any of their requests. */
export type RequestsOf<Exchanges extends ExchangesOf<Exchanges>> = {
  [Op in keyof Exchanges]: RequestOf<Exchanges, Op>;
}[keyof Exchanges];

/** Functions that carry out each of these exchanges: the answer is that of the request. */
export type Handlers<Exchanges extends ExchangesOf<Exchanges>> = {
  readonly [Op in keyof Exchanges]: (request: RequestOf<Exchanges, Op>) => Exchanges[Op]['answer'];
};

/** The same where answers take their time. */
export type AsyncHandlers<Exchanges extends ExchangesOf<Exchanges>> = {
  readonly [Op in keyof Exchanges]: (request: RequestOf<Exchanges, Op>) => Promise<Exchanges[Op]['answer']>;
};
