import { afterAll, beforeAll, describe, test } from 'vitest';
import { storageConformance } from '../../src/testing/storage/conformance.ts';
import { buildOnce } from '../build.ts';
import { fileEngine } from './file-engine.ts';

const { remove, ...engine } = fileEngine();

beforeAll(buildOnce, 120_000);

afterAll(remove);

storageConformance({ describe, test }, { name: 'sqlite in a file', ...engine });
