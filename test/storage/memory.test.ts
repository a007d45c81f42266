import { describe, test } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { storageConformance } from '../../src/testing/storage-conformance.ts';

storageConformance({ describe, test }, { name: 'memory', open: () => openStorage({ engine: 'memory' }) });
