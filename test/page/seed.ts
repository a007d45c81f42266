export * from '../../examples/seeds/day.ts';
