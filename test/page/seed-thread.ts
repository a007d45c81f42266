export * from '../../examples/seeds/thread.ts';
