/** Spreads pauses, as it was when this module was loaded; for what nobody may guess there is `random.ts`. */
export const { random } = Math;
