/** Kinds of calls that pages tell apart, as `attributes.kind` says them; all else is `other`. */
export const KINDS: readonly string[] = ['llm', 'tool', 'agent', 'retriever', 'chain', 'embedding', 'scorer', 'other'];
