export { storageConformance, type StorageUnderTest, type TestRunner } from './storage-conformance.ts';
