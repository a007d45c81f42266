/** A conversation with a model as one shape, whatever library recorded it. */
export interface Chat {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  /** The settings of the request beside its messages, and the facts of the answer beside its text. */
  readonly settings: readonly Setting[];
}

export interface ChatMessage {
  /** `system`, `user`, `assistant`, `tool`, or whatever the record says. */
  readonly role: string;
  readonly name: string | undefined;
  readonly parts: readonly ChatPart[];
  /** Is it what the call answered, not what it was given? */
  readonly isOutput: boolean;
  readonly finishReason: string | undefined;
}

export type ChatPart = TextPart | ReasoningPart | MediaPart | ToolCallPart | ToolResultPart | RefusalPart | OtherPart;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  /** Empty where the provider keeps it to itself. */
  readonly text: string;
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

export interface MediaPart {
  readonly type: 'media';
  readonly mediaType: string | undefined;
  readonly name: string | undefined;
  readonly source: MediaSource;
}

export type MediaSource =
  /** Kept by the service: the value that stands in its place. */
  | { readonly from: 'file'; readonly marker: unknown }
  /** Bytes within the record. */
  | { readonly from: 'base64'; readonly data: string }
  /** Somewhere else: never loaded without being asked. */
  | { readonly from: 'address'; readonly address: string };

export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string | undefined;
  readonly name: string;
  readonly input: unknown;
  /** The result, wherever in the conversation it stands. */
  readonly result: ToolResultPart | undefined;
}

export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly parts: readonly ChatPart[];
  readonly isError: boolean;
}

/** A part of a kind that nobody here knows: shown as the JSON that it is. */
export interface OtherPart {
  readonly type: 'other';
  readonly value: unknown;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string | undefined;
  readonly value: unknown;
}

export interface Setting {
  readonly name: string;
  readonly value: unknown;
}
