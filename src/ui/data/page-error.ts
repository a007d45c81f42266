/** Why something could not be read or done, as a strip says it. */
export class PageError extends Error {
  override readonly name = 'PageError';
  /** 0: the service did not answer. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** Why there is no session: `missing`, or how it came to its end. */
  readonly session: string | undefined;

  constructor(message: string, facts: PageErrorFacts) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.session = facts.session;
  }

  get isGone(): boolean {
    return this.status === 0;
  }
}

/** The page says by itself that the service is gone, and that what it shows is from before. */
export function isSaidOfPage(error: Error, shown: unknown): boolean {
  return error instanceof PageError && error.isGone && shown !== undefined;
}

export interface PageErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly requestId?: string | undefined;
  readonly session?: string | undefined;
}

/** The error of an answer that is not 2xx, as the answer tells it. */
export async function errorOfAnswer(answer: Response): Promise<PageError> {
  const body = await bodyOf(answer);
  return new PageError(body.reason ?? `The service answered ${answer.status}`, {
    status: answer.status,
    code: body.error_code ?? 'unknown',
    requestId: body.request_id ?? answer.headers.get('x-request-id') ?? undefined,
    session: body.session,
  });
}

interface KnownBody {
  readonly reason?: string;
  readonly error_code?: string;
  readonly request_id?: string;
  readonly session?: string;
}

async function bodyOf(answer: Response): Promise<KnownBody> {
  try {
    return (await answer.json()) as KnownBody;
  } catch {
    // A proxy in between answers with a page of its own; the status says what there is to say.
    return {};
  }
}
