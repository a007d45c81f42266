import { type ServiceOptions, projectNamed } from '../known-service.ts';
import type { Finding } from './finding.ts';

/** The project that programs of this folder record to and commands read from. */
export function checkProject(options: ServiceOptions): Finding {
  try {
    const origin = options.project ? 'named' : 'from this folder';
    return { level: 'ok', about: 'project', message: `${projectNamed(options)} (${origin})` };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { level: 'problem', about: 'project', message, advice: 'Correct SPOOR_PROJECT or --project' };
  }
}
