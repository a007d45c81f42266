// Stops the process in which it is loaded when the state folder has said where its service is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const path = join(process.env['SPOOR_HOME'] ?? '', 'server.json');

function look() {
  if (existsSync(path)) process.kill(process.pid, 'SIGTERM');
  else setImmediate(look);
}

// Threads of the process load it, too.
if (isMainThread) look();
