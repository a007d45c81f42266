/** Compact JSON text as it is stored and sent: no spaces, number tokens in canonical form, no escape that JSON could do without. */
export type JsonText = string;
