import { keptGlobal } from '../../host/kept-global.ts';

/** The recording half of a process as others in the process use it: those that read back what it recorded. */
export interface Recording {
  /** Where records go to now; `undefined` while recording has not started. */
  readonly target: { readonly url: string | undefined; readonly project: string } | undefined;
  flush(): Promise<unknown>;
  shutdown(): Promise<unknown>;
}

/** Shared by all copies of this package in a process. */
interface RecordingHolder {
  [RECORDING_KEY]?: Recording;
}

/** Changes when the shape of `Recording` changes. */
const RECORDING_KEY = Symbol.for('spoor.recording.1');

/** The first copy of the package stays: all copies record through one client. */
export function announceRecording(recording: Recording): void {
  (globalThis as RecordingHolder)[RECORDING_KEY] ??= keptGlobal(recording);
}

/** `undefined` in a process that records nothing. */
export function announcedRecording(): Recording | undefined {
  return (globalThis as RecordingHolder)[RECORDING_KEY];
}
