import type { VersionChange } from '../../../reader/compare/cause.ts';
import type { Sides } from './answer.ts';

/** Messages of a page to the thread that compares; answers have the id of their question. */
export type ToThread =
  | { readonly kind: 'open'; readonly url: string; readonly project: string }
  | { readonly kind: 'cancel'; readonly id: number }
  | Question;

export type Question = { readonly id: number } & (
  | { readonly kind: 'compare'; readonly ids: Sides<string> }
  | { readonly kind: 'pair'; readonly key: number; readonly pair: number }
  | { readonly kind: 'versions'; readonly change: VersionChange }
  | { readonly kind: 'numbers'; readonly changes: readonly VersionChange[] }
);

export type FromThread =
  | { readonly kind: 'count'; readonly id: number; readonly count: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: FailureInThread };

/** An error as it crosses over. */
export interface FailureInThread {
  readonly message: string;
  readonly status: number;
  readonly code: string;
  readonly requestId?: string;
}
