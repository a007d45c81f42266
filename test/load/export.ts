// How much memory the service takes while it exports. Options: --gib 2 --cuts 20 --stalled 10
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeHome, startServiceProcess } from '../flow/service-process.ts';
import { fillProject, openStalledExport, readExport } from './calls.ts';
import { privateMiB, sampleWhile } from './process-memory.ts';

const { values } = parseArgs({
  options: {
    gib: { type: 'string', default: '2' },
    cuts: { type: 'string', default: '20' },
    stalled: { type: 'string', default: '10' },
  },
});

const { home, remove } = makeHome();
const service = await startServiceProcess(home);
const pid = service.child.pid ?? 0;
const mib = (value: number) => `${Math.round(value)} MiB`;
const show = (samples: readonly number[]) =>
  Array.from({ length: 8 }, (_, part) => {
    const from = Math.floor((part * samples.length) / 8);
    return Math.round(Math.max(...samples.slice(from, Math.max(from + 1, ((part + 1) * samples.length) / 8))));
  }).join(' ');

try {
  console.log(`started: ${mib(privateMiB(pid))}`);
  const bytes = Number(values.gib) * 1024 ** 3;
  const filling = await sampleWhile(pid, fillProject(service, { bytes, callBytes: 16 * 1024 }));
  console.log(`filled with ${filling.result} calls: at most ${mib(filling.max)}`);

  for (const isPacked of [false, true]) {
    const name = isPacked ? 'gzip' : 'plain';
    const before = privateMiB(pid);
    const began = performance.now();
    const { result, samples, max } = await sampleWhile(pid, readExport(service, { isPacked }));
    const seconds = (performance.now() - began) / 1000;
    console.log(
      `${name} export: ${mib(result.bytes / 1024 ** 2)} in ${seconds.toFixed(1)} s; memory ${mib(before)} before, ` +
        `at most ${mib(max)}, eighths: ${show(samples)}`,
    );
  }

  for (const isPacked of [true, false]) {
    const after: number[] = [];
    for (let round = 0; round < Number(values.cuts); round += 1) {
      await readExport(service, { isPacked, cutAfterBytes: 20 * 1024 ** 2 });
      await sleep(300);
      after.push(Math.round(privateMiB(pid)));
    }
    console.log(`after each of ${values.cuts} cut ${isPacked ? 'gzip' : 'plain'} exports: ${after.join(' ')}`);
  }

  for (const isPacked of [false, true]) {
    const before = privateMiB(pid);
    const stalled = Array.from({ length: Number(values.stalled) }, () => openStalledExport(service, isPacked));
    const sockets = await Promise.all(stalled);
    const { samples, max } = await sampleWhile(pid, sleep(8000));
    console.log(
      `${sockets.length} stalled readers${isPacked ? ' (gzip)' : ''}: memory ${mib(before)} before, at most ${mib(max)}, ` +
        `at the end ${mib(samples.at(-1) ?? 0)}`,
    );
    for (const socket of sockets) socket.destroy();
    await sleep(1000);
  }
  console.log(`in the end: ${mib(privateMiB(pid))}`);
} finally {
  await service.stop();
  remove();
}
