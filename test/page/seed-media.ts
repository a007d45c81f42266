export * from '../../examples/seeds/images.ts';
