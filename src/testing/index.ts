export { storageConformance, type StorageUnderTest, type TestRunner } from './storage-conformance.ts';
export {
  transparencyConformance,
  type Decorator,
  type RecordedCall,
  type RecordingTarget,
  type TransparencyRunner,
  type TransparencySubject,
  type Wrap,
  type WrapOptions,
} from './transparency-conformance.ts';
