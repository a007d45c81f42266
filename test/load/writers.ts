// Many writers at once: none of their calls is lost, none is doubled. Options: --writers 50 --calls 1000
import { parseArgs } from 'node:util';
import { makeHome, startServiceProcess } from '../flow/service-process.ts';
import { privateMiB } from './process-memory.ts';
import { countWritten, writeInParallel } from './parallel-writers.ts';

const { values } = parseArgs({
  options: { writers: { type: 'string', default: '50' }, calls: { type: 'string', default: '1000' } },
});
const size = { writers: Number(values.writers), calls: Number(values.calls) };

const { home, remove } = makeHome();
const service = await startServiceProcess(home);
try {
  const began = performance.now();
  const { requests } = await writeInParallel(service, size);
  const seconds = (performance.now() - began) / 1000;
  const wanted = size.writers * size.calls;
  console.log(`${wanted} calls in ${requests} requests by ${size.writers} writers in ${seconds.toFixed(1)} s`);
  console.log(`memory of the service: ${Math.round(privateMiB(service.child.pid ?? 0))} MiB`);
  const { lines, complete, distinct, counted } = await countWritten(service);
  console.log(
    `read back: ${lines} lines, ${distinct} different calls, ${complete} of them complete; counted ${counted}`,
  );
  if ([lines, distinct, complete, counted].some((count) => count !== wanted)) process.exitCode = 1;
} finally {
  await service.stop();
  remove();
}
