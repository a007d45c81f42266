// Loaded before a program: kills it, as nothing else could, before its step number KILLED_AT. A step is a request that it sends, or
// a change that it makes to a file.
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const killedAt = Number(process.env.KILLED_AT);
let steps = 0;

function step() {
  steps += 1;
  if (steps === killedAt) process.kill(process.pid, 'SIGKILL');
}

function stepBefore(owner, name) {
  const own = owner[name];
  owner[name] = function (...args) {
    step();
    return own.apply(this, args);
  };
}

subscribe('undici:request:create', step);
subscribe('http.client.request.start', step);

// That of every file, found at one that is there.
const handle = await fs.promises.open(new URL(import.meta.url), 'r');
const FileHandle = Object.getPrototypeOf(handle);
await handle.close();

for (const name of ['writeFileSync', 'renameSync', 'rmSync']) stepBefore(fs, name);
for (const name of ['rename', 'truncate']) stepBefore(fs.promises, name);
for (const name of ['appendFile', 'sync', 'close']) stepBefore(FileHandle, name);
syncBuiltinESMExports();
