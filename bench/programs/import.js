// Time and memory that loading a library takes.
import { tell } from './tell.js';

const { adapter } = JSON.parse(process.argv[2]);
const { load } = await import(adapter);
const before = process.memoryUsage.rss();
const startedAt = performance.now();
await load();
const importMs = performance.now() - startedAt;
tell({ calls: 0, figures: { importMs, rssMb: (process.memoryUsage.rss() - before) / 1e6 } });
