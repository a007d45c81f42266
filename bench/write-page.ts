import { writeFileSync } from 'node:fs';
import { performancePage, storedResults } from './page.ts';

writeFileSync(new URL('../docs/performance.md', import.meta.url), performancePage(storedResults()));
