import type { Computed, Condition, Operand, RecordField } from '../contract/plan.ts';

/** Operands and conditions on records of any kind. */
export type AnyOperand = Operand<RecordField>;
export type AnyCondition = Condition<RecordField>;
export type AnyComputed = Computed<RecordField>;
