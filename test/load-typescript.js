// Preloaded into the test processes and, through the inherited `execArgv`, into the threads they start:
// `--import tsx` alone serves the main thread only.
import { register } from 'tsx/esm/api';

register();
