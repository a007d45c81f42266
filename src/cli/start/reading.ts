import { runCommandLine } from './command-line.ts';

// One file is made of this and of all that commands which only read need: docs/decisions/0048-commands-that-read-are-one-file.md.
void runCommandLine();
