/** Marks that several rules need: what is not in a text is searched for once. */
export interface Marks {
  readonly hasColon: boolean;
  readonly hasDash: boolean;
  readonly hasAt: boolean;
}

export function marksOf(text: string): Marks {
  return { hasColon: text.includes(':'), hasDash: text.includes('-'), hasAt: text.includes('@') };
}
