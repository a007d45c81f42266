export * from '../../examples/seeds/plan.ts';
