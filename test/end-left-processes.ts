import { afterAll } from 'vitest';
import { endLeftProcesses } from './flow/left-processes.ts';

// Before each file, so this comes after all that the file itself does at its end.
afterAll(endLeftProcesses);
