// Run as a process of its own by main.ts: reads all calls of the demo back over HTTP, prints each trace as a tree and
// compares them with the ledger. Ends with code 1 when a call is missing or there twice.
import { createReader } from 'spoor/reader';
import { countByName, readLedger } from './ledger.ts';
import { runSpoor } from './service.ts';

const [home = '', url = '', apiKey = '', project = '', ledgerFile = '', session = ''] = process.argv.slice(2);

const reader = createReader({ url, apiKey, project });
const names: string[] = [];
const traces = new Set<string>();
for await (const call of reader.calls.query({
  query: { $expr: { $eq: [{ $getField: 'attributes.session' }, { $literal: session }] } },
})) {
  const summary = call.summary as { svc: { trace_name: string } };
  names.push(summary.svc.trace_name);
  traces.add(call.trace_id);
}

for (const trace of traces) {
  await runSpoor(home, ['show', trace, '--project', project]);
  console.log();
}

const recorded = countByName(names);
const ledger = readLedger(ledgerFile);
let lost = 0;
let extra = 0;
for (const op of new Set([...ledger.keys(), ...recorded.keys()])) {
  const difference = (ledger.get(op) ?? 0) - (recorded.get(op) ?? 0);
  if (difference !== 0) console.log(`${op}: ${ledger.get(op) ?? 0} in the ledger, ${recorded.get(op) ?? 0} read back`);
  lost += Math.max(0, difference);
  extra += Math.max(0, -difference);
}
console.log(`demo: ${names.length} calls in ${traces.size} traces, ${lost} lost, read back from ${url}`);
process.exitCode = lost + extra === 0 ? 0 : 1;
