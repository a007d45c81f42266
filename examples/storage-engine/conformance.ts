// Runs the contract of a storage on the engine beside it: `node --import tsx examples/storage-engine/conformance.ts`.
import { describe, test } from 'node:test';
import { storageConformance } from 'spoor/testing';
import { openExampleStorage } from './engine.ts';

storageConformance({ describe, test }, { name: 'the example', open: openExampleStorage });
