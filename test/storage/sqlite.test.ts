import { describe, test } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { storageConformance } from '../../src/testing/storage/conformance.ts';

storageConformance(
  { describe, test },
  { name: 'sqlite in memory', open: () => openStorage({ engine: 'sqlite', path: ':memory:' }) },
);
