import { Date } from '../host/clock.ts';
import { keepProblem } from '../spool/problem-file.ts';
import { compileMask, MASKED } from '../tracing/mask/mask.ts';
import type { Config } from './config.ts';
import { findService } from './discovery.ts';
import type { Problem } from './options.ts';

/** A shorter key is none, and its letters stand in every message. */
const SHORTEST_KEY = 8;

/** Keeps what was told in the state folder, where `spoor doctor` finds it when this process has ended. */
export function problemKeeper(config: Config): (problem: Problem) => void {
  const { home, isEnabled, project, mask } = config;
  if (home === undefined || !isEnabled) return () => undefined;
  return ({ kind, subject, message, count }) => {
    const { url, apiKey = '' } = findService(config) ?? {};
    // Messages quote services and errors of the program, which may name the key that they did not like.
    const text = apiKey.length < SHORTEST_KEY ? message : message.replaceAll(apiKey, MASKED);
    keepProblem(home, {
      at: new Date().toISOString(),
      kind,
      ...(subject !== undefined && { subject }),
      // Also where the program records everything as it is: the file is for whoever may read the folder.
      message: compileMask(mask || undefined).text(text),
      count,
      project,
      ...(url && { url }),
      pid: process.pid,
    });
  };
}
