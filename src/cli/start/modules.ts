import { runCommandLine } from './command-line.ts';

// All commands but those that only read, which are in a file of their own.
void runCommandLine();
