// A service on an engine that is not of this package. You will see a call that was recorded there and read back.
import { init, shutdown, traced } from 'spoor';
import { createReader } from 'spoor/reader';
import { createServer } from 'spoor/server';
import { openExampleStorage } from './engine.ts';

const server = await createServer({ storage: await openExampleStorage(), port: 0, logLevel: 'error' });
init({ project: 'demo/engine', url: server.url, apiKey: server.apiKey });

const greet = traced(function greet(name: string) {
  return `Hello ${name}`;
});
greet('engine');
await shutdown();

const reader = createReader({ url: server.url, apiKey: server.apiKey, project: 'demo/engine' });
for await (const call of reader.calls.query()) {
  process.stdout.write(`${call.op_name}: ${JSON.stringify(call.inputs)} → ${JSON.stringify(call.output)}\n`);
}
await server.close();
